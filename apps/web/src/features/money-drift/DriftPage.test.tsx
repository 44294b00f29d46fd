import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { MoneyDrift } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDrift } from '../../../test/drift-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import type { ResponseOf } from '../../lib/api.ts'
import { DriftPage } from './DriftPage.tsx'

type Answer = ResponseOf<typeof moneyDrift.listMoneyDrift>

const counts = { open: 1, dismissed: 0, unpaid: 0, undelivered: 1, ended: 0, zone: 0, domain: 0 }
const dismissal = { reason: 'Ours', until: '2027-01-20T10:00:00Z', at: '2026-11-21T10:00:00Z', by: 'Grace' }

function mockDrift(rows: MoneyDrift[] = [aDrift()], change: Partial<Answer> = {}) {
  return mockApi(moneyDrift, {
    listMoneyDrift: () => ({
      ...{ drift: rows, has_more: false, total: rows.length, counts, problem: null, unjudged: [] },
      money: [{ amount: 4900, currency: 'usd' }],
      compared_at: new Date(Date.now() - 60_000).toISOString(),
      ...change,
    }),
    getMoneyDrift: ({ params }) => ({ drift: rows.find(({ id }) => id === decodeURIComponent(params.id)) ?? aDrift() }),
    dismissMoneyDrift: () => ({ drift: aDrift({ dismissal }) }),
    restoreMoneyDrift: () => ({ drift: aDrift() }),
  })
}

const route = '/admin/monitoring/drift'
const open = (rows?: MoneyDrift[], change?: Partial<Answer>, at = route, session = testSession()) => ({
  api: mockDrift(rows, change),
  ...renderPage(<DriftPage />, { route: at, session }),
})
const row = async () => within((await screen.findByRole('link', { name: /Harbour Bakery/ })).closest('tr')!)

test('shows what, since when, whose, the money a month, the evidence with its age, and the repair', async () => {
  const { api } = open()
  const shown = await row()
  for (const text of ['harbour.example', 'Paid, but down', '2 hours ago', 'Ada Lovelace', '$49.00', 'Deploy'])
    expect(shown.getByText(text)).toBeTruthy()
  expect(shown.getByText('harbour.example is down: refused')).toBeTruthy()
  expect(shown.getByText('2 min')).toBeTruthy()
  expect(shown.getByRole('link', { name: 'Deploy' }).getAttribute('href')).toBe(
    '/admin/sites?open=site_1&tab=deployments',
  )
  expect(shown.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')).toBe('/admin/customers?open=cus_1')
  expect(document.querySelector('header')?.textContent).toMatch(/1 open · \$49.*a month · compared 1 min/)
  expect(api.calls().map(({ name, query }) => [name, query['sort']])).toEqual([['listMoneyDrift', '-money']])
})

test('search, class, status and sort stand in the address and reach the server', async () => {
  const { api, user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: /^Ended, still live/ }))
  await user.click(screen.getByRole('button', { name: /^Live, not paid/ }))
  await user.selectOptions(screen.getByLabelText('Status'), 'dismissed')
  await user.selectOptions(screen.getByLabelText('Sort by'), 'since')
  await user.type(screen.getByRole('searchbox', { name: 'Search site, domain or customer' }), 'harb{Enter}')
  await waitFor(() =>
    expect(api.calls().at(-1)?.query).toMatchObject({
      ...{ class: 'unpaid,ended', status: 'dismissed', sort: 'since', search: 'harb' },
    }),
  )
  expect(window.location.search).toContain('status=dismissed')
})

test('details open by the address, with every evidence and all repairs', async () => {
  const { user } = open(undefined, undefined, `${route}?open=${encodeURIComponent('undelivered:site_1')}`)
  const dialog = within(await screen.findByRole('dialog', { name: /Harbour Bakery/ }))
  const evidence = within(await dialog.findByRole('list', { name: 'Evidence' }))
  expect(evidence.getAllByRole('listitem')).toHaveLength(2)
  expect(evidence.getByText('Site check')).toBeTruthy()
  expect(evidence.getByText('Ada Lovelace pays for Professional Care')).toBeTruthy()
  expect(dialog.getByText('Paid per month')).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Deploy' })).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'More repairs' }))
  expect((await screen.findByRole('menuitem', { name: 'Open subscription' })).getAttribute('href')).toBe(
    '/admin/subscriptions?open=sub_1',
  )
})

test('a row that was repaired while its details open says so', async () => {
  mockDrift()
  mockApi(moneyDrift, { getMoneyDrift: () => problem(404, { code: 'not_found', detail: 'Drift x' }) })
  renderPage(<DriftPage />, { route: `${route}?open=x` })
  expect(await screen.findByText('Solved: nothing to fix here.')).toBeTruthy()
})

test('dismisses for a reason and a while, and asks for the reason first', async () => {
  const { api, user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: /Actions for Harbour Bakery/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Dismiss' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Dismiss: Harbour Bakery' }))
  await user.click(dialog.getByRole('button', { name: 'Dismiss row' }))
  expect(await dialog.findByText('Enter a reason')).toBeTruthy()
  await user.type(dialog.getByLabelText('Reason'), ' Moves on Friday ')
  await user.click(dialog.getByRole('radio', { name: '1 week' }))
  await user.click(dialog.getByRole('button', { name: 'Dismiss row' }))
  expect(await screen.findByText(/^Dismissed until .*: Harbour Bakery$/)).toBeTruthy()
  const sent = api.calls().filter(({ name }) => name === 'dismissMoneyDrift')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.headers.get('idempotency-key')).toBeTruthy()
  const { reason, until } = sent[0]!.body as { reason: string; until: string }
  expect(reason).toBe('Moves on Friday')
  expect(Math.round((Date.parse(until) - Date.now()) / 86_400_000)).toBe(7)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Restored: Harbour Bakery')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'restoreMoneyDrift')).toHaveLength(1)
})

test('a dismissed row says so, and is restored', async () => {
  const { api, user } = open([aDrift({ dismissal })])
  expect((await row()).getByText('Dismissed')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Actions for Harbour Bakery/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Restore' }))
  expect(await screen.findByText('Restored: Harbour Bakery')).toBeTruthy()
  expect(api.calls().some(({ name }) => name === 'restoreMoneyDrift')).toBe(true)
})

test('whoever may not see money, or not act, sees no column of it and why', async () => {
  open([aDrift({ money: null })], { money: null }, route, testSession(['sites.read']))
  const shown = await row()
  expect(screen.queryByRole('columnheader', { name: /Money a month/ })).toBeNull()
  const deploy = shown.getByRole('button', { name: 'Deploy' })
  expect((deploy as HTMLButtonElement).disabled).toBe(true)
  expect(deploy.getAttribute('aria-description')).toMatch(/sites\.deploy|deploy/i)
  expect(document.body.textContent).not.toContain('$')
})

test('says that all agrees, that nothing was compared yet, and that none match', async () => {
  const agrees = open([], { money: [], counts: { ...counts, open: 0, undelivered: 0 } })
  expect(await screen.findByText('No drift')).toBeTruthy()
  agrees.unmount()
  const before = open([], { compared_at: null, money: [] })
  expect(await screen.findByText('Not compared yet')).toBeTruthy()
  before.unmount()
  open([], {}, `${route}?class=zone`)
  expect(await screen.findByText('No rows match your filters')).toBeTruthy()
})

test('says that it failed, that it is denied, what it could not compare, and that it is old', async () => {
  const denied = open([], {}, route, testSession(['customers.read']))
  expect(await screen.findByText('You may not see money drift')).toBeTruthy()
  denied.unmount()
  mockApi(moneyDrift, { listMoneyDrift: () => problem(503, { code: 'unavailable' }) })
  const failed = renderPage(<DriftPage />, { route })
  expect(await screen.findByText(/Failed to load the money drift/)).toBeTruthy()
  failed.unmount()
  const reason = 'Cloudflare is not connected'
  open(undefined, { problem: 'The last comparison failed', unjudged: [{ class: 'zone', reason }] })
  expect(await screen.findByText(`${reason}. Not compared: Unused zones.`)).toBeTruthy()
  expect(screen.getByText(/^The last comparison failed\./).getAttribute('role')).toBe('status')
})
