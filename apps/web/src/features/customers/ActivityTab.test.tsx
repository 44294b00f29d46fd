import * as timeline from '@agency/contract/descriptors/timeline'
import type { TimelineEntry } from '@agency/contract/types'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { ActivityTab } from './ActivityTab.tsx'

const anEntry = (part: Partial<TimelineEntry> = {}): TimelineEntry => ({
  ...{ id: 'payment:pi_1', at: '2026-11-02T10:00:00Z', kind: 'payment', title: 'Payment succeeded', detail: null },
  ...{
    actor: null,
    status: 'succeeded',
    is_live: false,
    steps: [],
    amount: 4900,
    currency: 'usd',
    path: '/admin/payments?open=pi_1',
  },
  ...part,
})

const aPage = (entries: TimelineEntry[], part: { next?: string; previous?: string } = {}) => ({
  ...{
    entries,
    has_more: part.next !== undefined,
    next: part.next ?? null,
    previous: part.previous ?? null,
    hidden: [],
  },
})

type Handler = NonNullable<Parameters<typeof mockApi<typeof timeline>>[1]['listTimeline']>

function open(listTimeline: Handler, search = '') {
  const api = mockApi(timeline, { listTimeline })
  const page = renderPage(<ActivityTab customerId="cus_1" />, { route: `/admin/customers${search}` })
  return { ...page, queries: () => api.calls().map(({ query }) => query) }
}
const param = (name: string) => new URLSearchParams(window.location.search).get(name)

test('shows what happened by day, with what it leads to, and goes on to older entries', async () => {
  const { user } = open(({ query: { before } }) =>
    before
      ? aPage([anEntry({ id: 'note:1', kind: 'note', title: 'Note', detail: '<b>Hi</b>', actor: 'Grace', path: null })])
      : aPage([anEntry()], { next: 'c1' }),
  )
  const link = await screen.findByRole('link', { name: 'Payment succeeded' })
  expect(link.getAttribute('href')).toBe('/admin/payments?open=pi_1')
  expect(screen.getByRole('region', { name: '11/2/2026' }).textContent).toContain('$49.00')
  await user.click(screen.getByRole('button', { name: 'Show older' }))
  expect(await screen.findByText('<b>Hi</b>')).toBeTruthy()
  expect(screen.getByText('Grace')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('keeps the kinds in the URL and asks for them', async () => {
  const { user, queries } = open(() => aPage([anEntry()]), '?kinds=refund,nonsense')
  const refunds = await screen.findByRole('button', { name: 'Refunds' })
  expect(refunds.getAttribute('aria-pressed')).toBe('true')
  expect(queries()[0]).toMatchObject({ kinds: 'refund' })
  await user.click(screen.getByRole('button', { name: 'Payments' }))
  expect(param('kinds')).toBe('payment,refund')
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ kinds: 'payment,refund' }))
  await user.click(screen.getByRole('button', { name: 'All' }))
  expect(param('kinds')).toBeNull()
})

test('jumps to a day and from there back to newer entries', async () => {
  const { user, queries } = open(
    ({ query: { after } }) =>
      after
        ? aPage([anEntry({ id: 'payment:pi_2', title: 'Newer' })])
        : aPage([anEntry({ title: 'There' })], { previous: 'p1' }),
    '?until=2026-11-02',
  )
  expect(await screen.findByText('There')).toBeTruthy()
  expect(queries()[0]?.['until']).toBe(new Date(2026, 10, 3).toISOString())
  await user.click(screen.getByRole('button', { name: 'Show newer' }))
  await screen.findByText('Newer')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toMatchObject(
    [/^Newer/, /^There/].map((text) => expect.stringMatching(text)),
  )
  await user.click(screen.getByRole('button', { name: 'Back to now' }))
  expect(param('until')).toBeNull()
  await waitFor(() => expect(queries().at(-1)).not.toHaveProperty('until'))
})

test('says what one may not see and why', async () => {
  open(() => ({ ...aPage([anEntry()]), hidden: [{ kind: 'mail', permission: 'admin.system' }] }))
  await screen.findByText('Payment succeeded')
  const mails = screen.getByRole('button', { name: 'Emails' }) as HTMLButtonElement
  expect(mails.disabled).toBe(true)
  expect(mails.getAttribute('aria-description')).toBe('Needs the permission admin.system')
})

test('tells an empty log from one that is only filtered, and leads back', async () => {
  const { user } = open(() => aPage([]))
  expect(await screen.findByText('No activity yet.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Disputes' }))
  expect(await screen.findByText('Nothing of this kind happened.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(await screen.findByText('No activity yet.')).toBeTruthy()
})

test('a failure keeps what is there and can be tried again', async () => {
  let fails = true
  const { user } = open(({ query: { before } }) =>
    before === undefined
      ? aPage([anEntry()], { next: 'c1' })
      : fails
        ? problem(503, { detail: 'The database is away' })
        : aPage([anEntry({ id: 'payment:pi_0', title: 'Oldest' })]),
  )
  await user.click(await screen.findByRole('button', { name: 'Show older' }))
  expect(await screen.findByText('The database is away')).toBeTruthy()
  expect(screen.getByText('Payment succeeded')).toBeTruthy()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Oldest')).toBeTruthy()
})

test('one deed is one line that holds its states', async () => {
  const step = (id: string, details: string) => ({
    ...{ id, details, user_name: 'Grace', created_at: '2026-11-02T10:00:00Z' },
    ...{ actor_type: 'user' as const, outcome: 'done' as const },
  })
  const steps = [step('1', 'Started to suspend Ada'), step('2', 'Suspended Ada')]
  const { user } = open(() => aPage([anEntry({ kind: 'action', title: 'Suspended Ada', actor: 'Grace', steps })]))
  await user.click(await screen.findByText('2 steps'))
  const inside = [...document.querySelectorAll('details[open] li')].map((each) => each.textContent)
  expect(inside[0]).toMatch(/^Started to suspend Ada, by Grace, /)
  expect(inside).toHaveLength(2)
})

test('is searched by words, which stand in the address', async () => {
  const { user, queries } = open(({ query }) => aPage(query['search'] ? [] : [anEntry()]))
  await screen.findByText('Payment succeeded')
  await user.type(screen.getByLabelText('Search activity'), 'harbour{Enter}')
  expect(await screen.findByText('No activity matches "harbour".')).toBeTruthy()
  expect(queries().at(-1)).toMatchObject({ search: 'harbour' })
  expect(param('find')).toBe('harbour')
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(await screen.findByText('Payment succeeded')).toBeTruthy()
})
