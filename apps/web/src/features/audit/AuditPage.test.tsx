import * as audit from '@agency/contract/descriptors/audit'
import type { AuditVerification } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mockExports } from '../../../test/exports.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { anEntry } from '../../../test/system-fixtures.ts'
import { AuditPage } from './AuditPage.tsx'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await Promise.all([import('./AuditEntryDialog.tsx'), import('../../ui/ActionMenu.tsx')])
})

const route = '/admin/audit'
const cancelled = anEntry()
const denied = anEntry({
  id: 'aud_1',
  user_name: 'Alan Turing',
  action: 'user.delete',
  resource: 'user',
  resource_id: 'usr_9',
  outcome: 'denied',
  details: 'Needs the permission admin.users',
  link: null,
})
const intact: AuditVerification = {
  id: 'ver_1',
  state: 'intact',
  started_at: '2026-11-21T09:00:00Z',
  finished_at: '2026-11-21T09:00:05Z',
  started_by: 'Grace Hopper',
  total: 1234,
  checked: 1234,
  finding: null,
}
const head = { seq: 1234, hash: 'a1b2c3d4e5f60718293a4b5c6d7e8f90' }

beforeEach(() => {
  mockApi(audit, {
    listAuditFacets: () => ({ actions: ['subscription.cancel', 'user.delete'], resources: ['subscription', 'user'] }),
    getAuditChain: () => ({ head, verification: intact }),
    getAuditEntry: ({ params }) => ({
      entry: params.id === denied.id ? denied : cancelled,
      deed: params.id === denied.id ? denied : cancelled,
      steps: [],
      user_agent: 'Firefox',
      before: { status: 'active' },
      after: { status: 'cancelled', cancel_at: '2026-12-02' },
      differences: [
        { path: 'status', before: 'active', after: 'cancelled', kind: 'changed' },
        { path: 'cancel_at', before: null, after: '2026-12-02', kind: 'added' },
        { path: 'plan', before: 'Business', after: 'Business', kind: 'same' },
      ],
      chain: { seq: 1234, hash: head.hash, previous_hash: '00ff' },
      newer_id: null,
      older_id: denied.id,
    }),
  })
})

function open(search = '', rows = [cancelled, denied], hasMore = false) {
  const api = mockApi(audit, { listAudit: () => ({ entries: rows, has_more: hasMore }) })
  return { api, ...renderPage(<AuditPage />, { route: route + search }) }
}
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))
const listCalls = (api: { calls: () => { name: string; query: Record<string, string> }[] }) =>
  api.calls().filter((call) => call.name === 'listAudit')

test('lists who did what to which resource, with the outcome in words', async () => {
  const { api } = open()
  const table = await screen.findByRole('table', { name: 'Audit log' })
  const row = (await within(table).findByText('Alan Turing')).closest('tr')!
  expect(within(row).getByText('user.delete')).toBeTruthy()
  expect(within(row).getByText('Denied')).toBeTruthy()
  expect(within(row).getByText('Person')).toBeTruthy()
  expect(within(row).getByRole('link', { name: denied.details }).getAttribute('href')).toBe('?open=aud_1')
  expect(listCalls(api)[0]?.query).toEqual({ limit: '50', group: 'deed' })
})

test('asks for nothing but the entries first', async () => {
  const api = mockApi(audit, { listAudit: () => new Promise<never>(() => {}) })
  renderPage(<AuditPage />, { route })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls().map(({ name }) => name)).toEqual(['listAudit'])
})

test('keeps the filters in the URL and shows them as chips', async () => {
  const { user, api } = open('?after=aud_9&at=50')
  await screen.findByText('Alan Turing')
  await user.click(screen.getByRole('button', { name: 'More filters' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'denied')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Actor' }), 'api_key')
  await screen.findByRole('option', { name: 'user.delete' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'user.delete')
  await user.type(screen.getByRole('textbox', { name: 'Address' }), '203.0.113.7{Enter}')
  expect(query()).toEqual({
    outcome: 'denied',
    actor_type: 'api_key',
    action: 'user.delete',
    address: '203.0.113.7',
  })
  await waitFor(() => expect(listCalls(api).at(-1)?.query).toEqual({ limit: '50', group: 'deed', ...query() }))
  await user.click(screen.getByRole('button', { name: 'Remove filter Actor: API key' }))
  expect(query()).toEqual({ outcome: 'denied', action: 'user.delete', address: '203.0.113.7' })
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(query()).toEqual({})
})

test('says that no entry matches, and clears the filters', async () => {
  const { user } = open('?outcome=failed', [])
  expect(await screen.findByText('No entries match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(query()).toEqual({})
})

test('shows what an entry changed, in words and signs, and goes on to the older one', async () => {
  const { user } = open(`?open=${cancelled.id}`)
  const dialog = await screen.findByRole('dialog', { name: /Cancelled the subscription/ })
  const changes = await within(dialog).findByRole('region', { name: 'Changes' })
  expect(within(changes).getByText('Changed')).toBeTruthy()
  expect(within(changes).getByText('Added')).toBeTruthy()
  expect(within(changes).getByText('active').closest('[data-sign]')?.getAttribute('data-sign')).toBe('−')
  expect(within(changes).getByText('cancelled').closest('[data-sign]')?.getAttribute('data-sign')).toBe('+')
  expect(within(changes).getByText('1 unchanged field')).toBeTruthy()
  expect(within(dialog).getByText('#1,234')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Copy Request ID' })).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Newer' }).getAttribute('aria-disabled')).toBe('true')
  await user.click(within(dialog).getByRole('button', { name: 'Older' }))
  expect(query()).toEqual({ open: denied.id })
  expect(await screen.findByRole('dialog', { name: /Needs the permission/ })).toBeTruthy()
  // The keyboard stays within the dialog.
  expect(document.activeElement?.textContent).toBe('Older')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(query()).toEqual({}))
})

test('one deed is one line, and shows its states inside, each with what it changed', async () => {
  const deed = anEntry({
    id: 'aud_3',
    details: 'Refunded $74.50 to Pinecrest Dental',
    action: 'payment.refund',
    steps: 2,
  })
  const step = (id: string, details: string, user_name: string) => ({
    ...{ id, details, user_name, created_at: deed.created_at, actor_type: 'user' as const, outcome: 'done' as const },
  })
  mockApi(audit, {
    getAuditEntry: () => ({
      ...{ entry: { ...deed, details: 'Started to refund $74.50 to Pinecrest Dental' }, deed, user_agent: null },
      ...{ before: null, after: null, differences: [], chain: null, newer_id: null, older_id: null },
      steps: [
        step('aud_3', 'Started to refund $74.50 to Pinecrest Dental', 'Grace Hopper'),
        step('aud_4', deed.details, 'billing.resolve'),
      ],
    }),
  })
  open('?open=aud_3', [deed])
  const dialog = await screen.findByRole('dialog', { name: /Refunded \$74.50 to Pinecrest Dental/ })
  const states = within(await within(dialog).findByRole('list', { name: 'Steps' })).getAllByRole('link')
  expect(
    states.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
  ).toEqual([
    ['Started to refund $74.50 to Pinecrest Dental', '?open=aud_3', 'step'],
    ['Refunded $74.50 to Pinecrest Dental', '?open=aud_4', null],
  ])
  const table = screen.getByRole('table', { name: 'Audit log', hidden: true })
  expect(within(table).getByText('2 steps')).toBeTruthy()
})

test('narrows the log to what an entry was done to', async () => {
  const { user } = open(`?open=${cancelled.id}&outcome=done`)
  await user.click(await screen.findByRole('button', { name: 'All of this subscription' }))
  expect(query()).toEqual({ resource: 'subscription', resource_id: 'sub_1' })
})

test('says that an entry does not exist', async () => {
  mockApi(audit, { getAuditEntry: () => problem(404, { code: 'not_found' }) })
  open('?open=aud_x', [])
  expect(await screen.findByRole('dialog', { name: 'Entry not found' })).toBeTruthy()
})

test('tells the last verification, follows a new one and cancels it', async () => {
  let state: AuditVerification = intact
  const api = mockApi(audit, {
    getAuditChain: () => ({ head, verification: state }),
    verifyAudit: () => {
      state = { ...intact, state: 'running', finished_at: null, checked: 617 }
      return { verification: state }
    },
    cancelAuditVerification: () => {
      state = { ...intact, state: 'cancelled', checked: 700 }
      return { verification: state }
    },
  })
  const { user } = open()
  const chain = await screen.findByRole('region', { name: 'Tamper check' })
  expect(within(chain).getByText('Intact')).toBeTruthy()
  expect(within(chain).getByText('1,234 entries')).toBeTruthy()
  await user.click(within(chain).getByRole('button', { name: 'Verify' }))
  const progress = await within(chain).findByRole('progressbar', { name: 'Checking all entries' })
  expect(progress.getAttribute('aria-valuenow')).toBe('50')
  expect(within(chain).getByText('617 of 1,234 entries')).toBeTruthy()
  await user.click(within(chain).getByRole('button', { name: 'Cancel' }))
  expect(await within(chain).findByText('Cancelled')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'cancelAuditVerification')).toHaveLength(1)
})

test('names the entry at which the chain is broken', async () => {
  mockApi(audit, {
    getAuditChain: () => ({
      head,
      verification: {
        ...intact,
        state: 'broken',
        finding: { kind: 'altered', seq: 77, entry_id: 'aud_77', message: 'Entry aud_77 was altered.' },
      },
    }),
  })
  open()
  const chain = await screen.findByRole('region', { name: 'Tamper check' })
  expect(within(chain).getByRole('alert').textContent).toContain('Entry aud_77 was altered.')
  expect(within(chain).getByRole('link', { name: 'Show entry #77' }).getAttribute('href')).toBe('?open=aud_77')
})

test('says that the chain has no anchor', async () => {
  const message = 'There is no audit-heads.log in the data folder.'
  mockApi(audit, {
    getAuditChain: () => ({
      head,
      verification: {
        ...intact,
        state: 'no_anchor',
        finding: { kind: 'no_anchor', seq: null, entry_id: null, message },
      },
    }),
  })
  open()
  const chain = await screen.findByRole('region', { name: 'Tamper check' })
  expect(within(chain).getByText('No anchor')).toBeTruthy()
  expect(within(chain).getByRole('alert').textContent).toBe(`No anchor. ${message} `)
  expect(within(chain).queryByText('Intact')).toBeNull()
})

test('exports all that match, in any format', async () => {
  const { user } = open('?outcome=denied&after=aud_9&at=50')
  const { ordered } = mockExports({ rows_done: 1 })
  for (const [name, times] of [
    ['CSV', 1],
    ['JSON lines', 2],
  ] as const) {
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByRole('menuitem', { name }))
    await waitFor(() => expect(ordered()).toHaveLength(times))
    expect(await screen.findByText('Exported 1 entry')).toBeTruthy()
    await screen.findByRole('button', { name: 'Export' })
  }
  expect(ordered()).toEqual([
    { kind: 'audit', format: 'csv', parameters: { outcome: 'denied' } },
    { kind: 'audit', format: 'jsonl', parameters: { outcome: 'denied' } },
  ])
})

test('keeps the entries with their age when a refresh fails, and says when none could be loaded', async () => {
  const { client } = open()
  await screen.findByText('Alan Turing')
  mockApi(audit, { listAudit: () => problem(503, { code: 'unavailable', detail: 'The database is away' }) })
  await client.invalidateQueries({ queryKey: [audit.listAudit.path] })
  const alert = (await screen.findByText(/Failed to load the audit log/)).closest<HTMLElement>('[role=alert]')!
  expect(alert.textContent).toContain('The database is away')
  expect(within(alert).getByText('now')).toBeTruthy()
  expect(screen.getByText('Alan Turing')).toBeTruthy()
})

test('asks for nothing without the permission, and names it', async () => {
  const api = mockApi(audit, { listAudit: () => ({ entries: [], has_more: false }) })
  renderPage(<AuditPage />, { route, session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})

test('shows hostile text as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  open('', [anEntry({ user_name: hostile, details: hostile, resource_id: hostile })])
  expect((await screen.findAllByText(hostile)).every((element) => element.tagName === 'BDI')).toBe(true)
  expect(document.querySelector('img')).toBeNull()
})

test('becomes cards on a phone', async () => {
  showOn('phone')
  open()
  const card = (await screen.findByText('Alan Turing')).closest('li')!
  expect(
    within(card)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['Who', 'Time', 'Outcome'])
  expect(within(card).getByRole('link', { name: denied.details })).toBeTruthy()
  expect(within(card).queryByText('user.delete')).toBeNull()
})
