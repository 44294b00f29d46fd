import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { Need, NeedKind } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { NeedsPanel } from './NeedsPanel.tsx'
import { type NeedsAnswer, needsQuery, needWords } from './needs.ts'

const kinds = Object.keys(needWords) as NeedKind[]

const aNeed = (kind: NeedKind, part: Partial<Need> = {}): Need => ({
  ...{ kind, id: `${kind}_1`, title: `Title of ${kind}`, detail: `Detail of ${kind}` },
  at: new Date(Date.now() - 7_500_000).toISOString(),
  money: [{ amount: 4900, currency: 'usd' }],
  link: `/admin/${kind}`,
  ...part,
})

const answerOf = (needs: Need[], change: Partial<NeedsAnswer> = {}): NeedsAnswer => ({
  needs,
  sources: kinds.map((kind) => ({ kind, ok: true, total: needs.filter((need) => need.kind === kind).length })),
  as_of: new Date().toISOString(),
  ...change,
})

function Page() {
  return <NeedsPanel query={useQuery(needsQuery)} />
}

function open(answer: NeedsAnswer | Response) {
  return { api: mockApi(dashboard, { getNeeds: () => answer }), ...renderPage(<Page />) }
}

const rows = () => within(screen.getByRole('list', { name: 'Needs you now' })).getAllByRole('listitem')

test('shows the first three with kind, what, money and the way to deal with it, and all on demand', async () => {
  const { user } = open(answerOf(kinds.map((kind) => aNeed(kind))))
  await screen.findByRole('list', { name: 'Needs you now' })
  expect(rows()).toHaveLength(3)
  const [first] = rows()
  for (const text of ['Incident', 'Title of incident', 'Detail of incident', '2 hours ago', '$49.00', '/mo'])
    expect(first!.textContent).toContain(text)
  expect(within(first!).getByRole('link', { name: 'Open incident Title of incident' }).getAttribute('href')).toBe(
    '/admin/incident',
  )
  await user.click(screen.getByRole('button', { name: 'Show all 8' }))
  expect(rows()).toHaveLength(8)
  expect(rows().map((row) => within(row).getByRole('link').textContent)).toEqual(
    kinds.map((kind) => `${needWords[kind].action} Title of ${kind}`),
  )
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(rows()).toHaveLength(3)
})

test('one amount is no amount a month, and other currencies stand beside it', async () => {
  const money = [
    { amount: 4900, currency: 'usd' },
    { amount: 1000, currency: 'eur' },
  ]
  open(answerOf([aNeed('past_due', { money })]))
  await screen.findByRole('list', { name: 'Needs you now' })
  const [row] = rows()
  expect(within(row!).queryByText('/mo')).toBeNull()
  expect(row!.textContent).toContain('+ 1 more currency')
  expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull()
})

test('shows no money to whoever may not see it', async () => {
  open(answerOf([aNeed('incident', { money: null })]))
  await screen.findByRole('link', { name: 'Open incident Title of incident' })
  expect(document.body.textContent).not.toContain('$')
})

test('says that nothing needs somebody', async () => {
  open(answerOf([]))
  expect(await screen.findByText('Nothing needs you now.')).toBeTruthy()
})

test('says which source failed, leaves the others, and asks again', async () => {
  const sources: NeedsAnswer['sources'] = [
    { kind: 'domain', ok: false, code: 'internal', error: 'Could not be loaded' },
    { kind: 'incident', ok: true, total: 1 },
  ]
  const { user } = open(answerOf([aNeed('incident')], { sources }))
  expect((await screen.findByText(/^Not loaded: domains\./)).getAttribute('role')).toBe('status')
  expect(rows()).toHaveLength(1)
  mockApi(dashboard, { getNeeds: () => answerOf([]) })
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Nothing needs you now.')).toBeTruthy()
})

test('leads to all of a kind of which more are there than are listed', async () => {
  const many = Array.from({ length: 20 }, (_, index) => aNeed('past_due', { id: `sub_${index}` }))
  const { user } = open(answerOf(many, { sources: [{ kind: 'past_due', ok: true, total: 240 }] }))
  await user.click(await screen.findByRole('button', { name: 'Show all 20' }))
  expect(screen.getByRole('link', { name: 'All 240 past-due subscriptions' }).getAttribute('href')).toBe(
    '/admin/subscriptions?status=past_due',
  )
})

test('is not there for whom no source is, and says when it could not be loaded at all', async () => {
  const none = open(answerOf([], { sources: [] }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs you now' })).toBeNull())
  expect(none.api.calls()).toHaveLength(1)
  none.unmount()
  open(problem(503, { code: 'unavailable', detail: 'Not now' }))
  expect(await screen.findByText('Failed to load this section')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy()
})
