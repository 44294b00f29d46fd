import * as purchases from '@agency/contract/descriptors/purchases'
import type { Purchase, PurchaseDetails } from '@agency/contract/types'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { PurchasesPage } from './PurchasesPage.tsx'

const aPurchase = (part: Partial<Purchase> = {}): Purchase => ({
  id: 'cs_1',
  siteName: 'Harbour Bakery',
  status: 'completed',
  customerEmail: 'ada@example.com',
  customerId: 'cus_1',
  amount: 123450,
  currency: 'usd',
  timestamp: new Date(Date.now() - 5 * 60_000).toISOString(),
  productionUrl: 'https://harbour.example/',
  unread: true,
  ...part,
})
const details = (part: Partial<PurchaseDetails> = {}): PurchaseDetails => ({
  ...aPurchase(),
  customerName: 'Ada Lovelace',
  paymentId: 'pi_1',
  subscriptionId: null,
  refundedAmount: 0,
  checkoutStatus: 'complete',
  paymentStatus: 'paid',
  metadata: { site_name: 'Harbour Bakery', hosting_years: '2' },
  isReset: false,
  fetchedAt: '2026-11-21T10:00:00Z',
  ...part,
})

type Init = { rows?: Purchase[]; total?: number; hasMore?: boolean }
function mockPurchases({ rows = [aPurchase()], total = rows.length, hasMore = false }: Init = {}) {
  let read = false
  return mockApi(purchases, {
    listPurchases: () => ({
      purchases: rows.map((row) => ({ ...row, unread: row.unread && !read })),
      unreadCount: read ? 0 : rows.filter((row) => row.unread).length,
      has_more: hasMore,
      as_of: '2026-11-21T11:00:00Z',
      total,
    }),
    getPurchase: () => ({ purchase: details({ unread: !read }) }),
    markPurchasesRead: () => {
      read = true
      return { unreadCount: 0 }
    },
  })
}
function open(init: Init = {}) {
  const api = mockPurchases(init)
  return { api, ...renderPage(<PurchasesPage />, { route: '/admin/purchases' }) }
}
const rowOf = async (name: string) => (await screen.findByRole('link', { name: new RegExp(name) })).closest('tr')!
const reads = (api: { calls: () => { name: string; body: unknown }[] }) =>
  api.calls().filter(({ name }) => name === 'markPurchasesRead')

test('shows the first ten with chip, name, email, amount, age, address and badge', async () => {
  const { api } = open({ rows: [aPurchase(), aPurchase({ id: 'cs_2', siteName: 'Cove', unread: false })], total: 480 })
  const row = within(await rowOf('Harbour Bakery'))
  for (const text of ['Completed', 'ada@example.com', '$1,234.50', '5 min ago', 'Unread', 'harbour.example'])
    expect(row.getByText(text)).toBeTruthy()
  expect(within(await rowOf('Cove')).queryByText('Unread')).toBeNull()
  const link = row.getByRole('link', { name: 'harbour.example' })
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://harbour.example/',
    '_blank',
    'noopener noreferrer',
  ])
  expect(screen.getByText('Showing 2 of 480 recent purchases')).toBeTruthy()
  expect(screen.getByText('1 unread')).toBeTruthy()
  expect(api.calls()[0]).toMatchObject({ name: 'listPurchases', query: { limit: '10' } })
})

test('the column of addresses is there when a purchase has one', async () => {
  open({ rows: [aPurchase({ productionUrl: null })] })
  await rowOf('Harbour Bakery')
  expect(screen.queryByRole('columnheader', { name: 'Production site' })).toBeNull()
})

test.each([
  ['completed', 'Completed'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['refunded', 'Refunded'],
] as const)('a %s purchase says %s', async (status, label) => {
  open({ rows: [aPurchase({ status })] })
  expect(within(await rowOf('Harbour Bakery')).getByText(label)).toBeTruthy()
})

test('without purchases it says so', async () => {
  open({ rows: [] })
  expect(await screen.findByText('No recent purchases')).toBeTruthy()
  expect(screen.getByText('Showing 0 of 0 recent purchases')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Mark all read' }).disabled).toBe(true)
})

test('a hostile name stays text and a hostile address no link', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  open({ rows: [aPurchase({ siteName: hostile, productionUrl: 'javascript:alert(1)' })] })
  expect(await screen.findByText(hostile)).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
  expect(document.querySelector('[href^="javascript"]')).toBeNull()
})

test('opening a purchase marks it read, and shows customer, payment and metadata', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('link', { name: /Harbour Bakery/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect((await dialog.findByRole('link', { name: 'Ada Lovelace' })).getAttribute('href')).toBe(
    '/admin/customers?open=cus_1',
  )
  expect(dialog.getByRole('link', { name: 'pi_1' }).getAttribute('href')).toBe('/admin/payments?open=pi_1')
  expect(dialog.getByText('hosting_years')).toBeTruthy()
  await waitFor(() => expect(reads(api).map(({ body }) => body)).toEqual([{ ids: ['cs_1'] }]))
  await waitFor(() => expect(screen.queryByText('1 unread')).toBeNull())
  expect(window.location.search).toBe('?open=cs_1')
})

test('a purchase that does not exist says so', async () => {
  mockPurchases()
  mockApi(purchases, { getPurchase: () => problem(404, { code: 'not_found', detail: 'Purchase cs_9 was not found' }) })
  renderPage(<PurchasesPage />, { route: '/admin/purchases?open=cs_9' })
  expect(await screen.findByRole('heading', { name: 'Purchase not found' })).toBeTruthy()
})

test('marks all read', async () => {
  const { api, user } = open()
  await screen.findByText('1 unread')
  await user.click(screen.getByRole('button', { name: 'Mark all read' }))
  await screen.findByText(/All read/)
  expect(screen.queryByText('Unread')).toBeNull()
  expect(reads(api).map(({ body }) => body)).toEqual([undefined])
})

test('another purchase is seen, and read, while the first one is still being marked', async () => {
  const api = mockPurchases()
  mockApi(purchases, {
    getPurchase: ({ params }) => ({ purchase: details({ id: params.id }) }),
    markPurchasesRead: () => new Promise<Response>(() => {}),
  })
  renderPage(<PurchasesPage />, { route: '/admin/purchases?open=cs_1' })
  await waitFor(() => expect(reads(api)).toHaveLength(1))
  window.history.pushState(null, '', '/admin/purchases?open=cs_2')
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  await waitFor(() => expect(reads(api).map(({ body }) => body)).toEqual([{ ids: ['cs_1'] }, { ids: ['cs_2'] }]))
})

test('a mark that failed is told', async () => {
  const { user } = open()
  mockApi(purchases, { markPurchasesRead: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
  await screen.findByText('1 unread')
  await user.click(screen.getByRole('button', { name: 'Mark all read' }))
  expect(await screen.findByText('The purchases could not be marked read. Nothing was changed.')).toBeTruthy()
  expect(screen.getByText('1 unread')).toBeTruthy()
})

test.each([
  ['Failed to fetch purchases', () => problem(503, { code: 'unavailable', detail: 'Down for a moment' })],
  ['Failed to load purchase data', () => new Response('<html>', { status: 200 })],
] as const)('%s, with the detail a click away', async (text, answer) => {
  mockApi(purchases, { listPurchases: answer })
  renderPage(<PurchasesPage />, { route: '/admin/purchases' })
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByText('Details')).toBeTruthy()
  expect(screen.queryByText('No recent purchases')).toBeNull()
})

test('a failed refresh keeps what was known, with its age', async () => {
  const { user } = open()
  await rowOf('Harbour Bakery')
  mockApi(purchases, { listPurchases: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
  await user.click(screen.getByRole('button', { name: 'Refresh Now' }))
  const failure = within((await screen.findByText('Failed to fetch purchases')).closest<HTMLElement>('[role=alert]')!)
  expect(failure.getByText(/Showing old data:/)).toBeTruthy()
  expect(failure.getByText('now')).toBeTruthy()
  expect(await rowOf('Harbour Bakery')).toBeTruthy()
})

test('pages on, and back', async () => {
  const { api, user } = open({ total: 25, hasMore: true })
  await rowOf('Harbour Bakery')
  await user.click(screen.getByRole('button', { name: 'Older purchases' }))
  await waitFor(() => expect(api.calls().at(-1)?.query).toMatchObject({ starting_after: 'cs_1' }))
})

test('whoever may not see billing is told so, and nothing is asked', async () => {
  const api = mockApi(purchases, {})
  renderPage(<PurchasesPage />, { route: '/admin/purchases', session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see purchases')).toBeTruthy()
  expect(api.calls()).toEqual([])
})

test('on a phone every purchase is a card', async () => {
  showOn('phone')
  open()
  const card = within((await screen.findByRole('link', { name: /Harbour Bakery/ })).closest('li')!)
  for (const text of ['Completed', '$1,234.50', '5 min ago', 'Unread']) expect(card.getByText(text)).toBeTruthy()
})
