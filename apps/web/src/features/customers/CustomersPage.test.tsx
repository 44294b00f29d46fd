import * as billing from '@agency/contract/descriptors/billing'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as customers from '@agency/contract/descriptors/customers'
import * as sites from '@agency/contract/descriptors/sites'
import type { Permission } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { mockExports } from '../../../test/exports.ts'
import { aCustomer, aPlan, customerDetails, someStats } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, showOn, testSession } from '../../../test/render.tsx'
import { aSite } from '../../../test/site-fixtures.ts'
import { CustomersPage } from './CustomersPage.tsx'

const route = '/admin/customers'
const ada = aCustomer()
const grace = aCustomer({
  id: 'cus_2',
  name: null,
  email: 'grace@example.com',
  status: 'pending',
  metadata: { company: null },
})

beforeEach(() => {
  mockApi(billing, {
    getStats: () => ({ stats: someStats() }),
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of: '2026-11-21T11:00:00Z' }),
  })
  mockApi(customerLifecycle, { getLifecycle: () => ({ suspension: null, deletion: null, runs: [] }) })
})

function open(search = '', rows = [ada, grace], hasMore = false, without?: Permission) {
  const api = mockApi(customers, {
    listCustomers: () => ({ customers: rows, has_more: hasMore, total: rows.length, as_of: '2026-11-21T11:00:00Z' }),
    getCustomer: () => ({ customer: customerDetails() }),
    listCustomerCountries: () => ({ countries: [{ country: 'GB', customers: 7 }] }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<CustomersPage />, { route: route + search, session }) }
}
const listCalls = (api: { calls: () => { name: string; query: Record<string, string> }[] }) =>
  api.calls().filter((call) => call.name === 'listCustomers')
const failure = async () =>
  (await screen.findByText(/^Failed to load customer data. Please try again\./)).closest<HTMLElement>('[role=alert]')!
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))

test('shows a skeleton, then the rows from one call', async () => {
  const { api } = open()
  expect(screen.getByRole('table', { name: 'Customers' }).getAttribute('aria-busy')).toBe('true')
  const row = (await screen.findByRole('link', { name: /Ada Lovelace/ })).closest('tr')!
  expect(within(row).getByText('Analytical Engines')).toBeTruthy()
  expect(within(row).getByText('Professional')).toBeTruthy()
  expect(within(row).getByText('Active')).toBeTruthy()
  expect(within(row).getByText('$1,234.50')).toBeTruthy()
  expect(api.calls()[0]).toMatchObject({ name: 'listCustomers', query: { limit: '25', sort: '-created_at' } })
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent?.replace(/[▲▼]/g, ''))).toEqual([
    '',
    'Customer',
    'Company',
    'Account Type',
    'Status',
    'Due',
    'Sites',
    'Revenue',
    'Created',
    'Last Payment',
    'Actions',
  ])
})

test('the rows wait for nothing: other calls follow them', async () => {
  let answer = (_: unknown) => {}
  const first = new Promise((resolve) => {
    answer = resolve
  })
  const api = mockApi(customers, {
    listCustomers: () =>
      first.then(() => ({ customers: [ada], has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' })),
  })
  renderPage(<CustomersPage />, { route })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls().map((call) => call.name)).toEqual(['listCustomers'])
  answer(undefined)
  await screen.findByText('61 customers · 40 subscribed')
})

test('falls back to the email, then the id, for a name', async () => {
  open('', [grace, aCustomer({ id: 'cus_3', name: ' ', email: null })])
  expect(await screen.findByRole('link', { name: 'grace@example.com' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'cus_3' })).toBeTruthy()
})

test.each([
  ['deleted here and at Stripe', 'deleted', true, ['Deleted here and at Stripe']],
  ['deleted here', 'deleted', false, [null]],
  ['suspended here, deleted at Stripe', 'suspended', true, ['Deleted at Stripe']],
  ['not deleted', 'active', false, []],
] as const)('the marks of a customer %s', async (_, status, deleted, titles) => {
  open('', [aCustomer({ status, deleted })])
  const row = (await screen.findByRole('link', { name: /Ada Lovelace/ })).closest('tr')!
  expect(
    within(row)
      .queryAllByText('Deleted')
      .map((mark) => mark.closest('[title]')?.getAttribute('title') ?? null),
  ).toEqual(titles)
})

test('shows hostile and right-to-left names as isolated text', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  open('', [aCustomer({ name: hostile }), aCustomer({ id: 'cus_4', name: 'شركة‮ evil' })])
  const name = await screen.findByText(hostile)
  expect(name.tagName).toBe('BDI')
  expect(document.querySelector('img')).toBeNull()
  expect(screen.getByText(/شركة/).tagName).toBe('BDI')
})

test('says that there are no customers', async () => {
  open('', [])
  expect(
    await screen.findByText(
      'No customers found. Customers will appear here once they make purchases or create subscriptions',
    ),
  ).toBeTruthy()
})

test('says that no customer matches, and clears the filters', async () => {
  const { user, api } = open('?status=suspended', [])
  expect(await screen.findByText('No customers match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(query()).toEqual({})
  await waitFor(() => expect(listCalls(api).at(-1)?.query['status']).toBeUndefined())
})

test('says that loading failed, and tries again', async () => {
  let fine = false
  mockApi(customers, {
    listCustomers: () =>
      fine
        ? { customers: [ada], has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' }
        : problem(503, { detail: 'The database is away', code: 'unavailable' }),
  })
  const { user } = renderPage(<CustomersPage />, { route })
  const alert = await failure()
  expect(alert.textContent).toContain('The database is away')
  expect(screen.queryByText(/No customers found/)).toBeNull()
  fine = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
  expect(screen.queryByText(/Failed to load customer data/)).toBeNull()
})

test('keeps the old rows with their age when a refresh fails', async () => {
  const { client } = open()
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  mockApi(customers, { listCustomers: () => problem(502, { code: 'provider_unavailable' }) })
  await client.invalidateQueries({ queryKey: [customers.listCustomers.path] })
  const alert = await failure()
  expect(within(alert).getByText('now')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
})

test('does not ask for what the actor may not see, and names the permission', async () => {
  const api = mockApi(customers, {
    listCustomers: () => ({ customers: [ada], has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' }),
  })
  renderPage(<CustomersPage />, { route, session: testSession(['billing.read']) })
  expect(screen.getByText('Needs the permission customers.read')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})

test('keeps search, filters and sort in the URL, and starts again at the first page', async () => {
  const { user, api } = open('?after=cus_9&at=25')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  expect(listCalls(api).at(-1)?.query).toMatchObject({ starting_after: 'cus_9' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'suspended')
  expect(query()).toEqual({ status: 'suspended' })
  await user.click(screen.getByRole('button', { name: /Revenue/ }))
  expect(query()).toEqual({ status: 'suspended', sort: '-total_revenue' })
  await user.type(screen.getByRole('searchbox'), 'ada{Enter}')
  expect(query()).toEqual({ status: 'suspended', sort: '-total_revenue', search: 'ada' })
  await waitFor(() =>
    expect(listCalls(api).at(-1)?.query).toEqual({
      limit: '25',
      status: 'suspended',
      search: 'ada',
      sort: '-total_revenue',
    }),
  )
})

test('pages by cursor and remembers the page size', async () => {
  const { user, api } = open('', [ada, grace], true)
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(query()).toEqual({ after: 'cus_2', at: '2' })
  await waitFor(() => expect(listCalls(api).at(-1)?.query).toMatchObject({ starting_after: 'cus_2' }))
  await user.selectOptions(screen.getByRole('combobox', { name: /Rows per page/ }), '50')
  expect(query()).toEqual({ size: '50' })
  await waitFor(() => expect(listCalls(api).at(-1)?.query['limit']).toBe('50'))
})

test('applies advanced filters together, shows them as chips, and takes one away', async () => {
  const { user, api } = open()
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.click(screen.getByRole('button', { name: 'Advanced Filters' }))
  const drawer = await screen.findByRole('dialog', { name: 'Advanced Filters' })
  await user.selectOptions(within(drawer).getByLabelText('Account type'), 'enterprise')
  await within(drawer).findByRole('option', { name: 'United Kingdom (7)' })
  await user.selectOptions(within(drawer).getByLabelText('Country'), 'GB')
  await within(drawer).findByRole('option', { name: 'Business' })
  await user.selectOptions(within(drawer).getByLabelText('Plan'), 'prod_1')
  await user.type(within(drawer).getByLabelText('At least'), '1,200.50')
  await user.click(within(drawer).getByRole('button', { name: 'Apply filters' }))
  expect(query()).toEqual({ account_type: 'enterprise', country: 'GB', plan: 'prod_1', revenue_min: '120050' })
  await waitFor(() =>
    expect(listCalls(api).at(-1)?.query).toMatchObject({
      account_type: 'enterprise',
      country: 'GB',
      revenue_min: '120050',
    }),
  )
  await screen.findByRole('button', { name: 'Remove filter Plan: Business' })
  await user.click(screen.getByRole('button', { name: 'Remove filter Country: United Kingdom' }))
  expect(query()).toEqual({ account_type: 'enterprise', plan: 'prod_1', revenue_min: '120050' })
  expect(screen.getByRole('button', { name: 'Remove filter Revenue from $1,200.50' })).toBeTruthy()
})

test('refuses ranges that are turned around', async () => {
  const { user } = open('?revenue_min=500')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.click(screen.getByRole('button', { name: 'Advanced Filters' }))
  const drawer = await screen.findByRole('dialog')
  await user.type(within(drawer).getByLabelText('At most'), '1')
  await user.click(within(drawer).getByRole('button', { name: 'Apply filters' }))
  expect(within(drawer).getByRole('alert').textContent).toBe('"At least" cannot exceed "At most"')
  expect(query()).toEqual({ revenue_min: '500' })
})

test('ignores filters in the URL that make no sense', async () => {
  const { api } = open('?status=nonsense&created_from=2026-02-31&revenue_min=1e9&country=Narnia&sort=shoe_size')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  expect(listCalls(api)[0]?.query).toEqual({ limit: '25', sort: '-created_at' })
})

test('opens the details with a URL of their own that survives a reload', async () => {
  const { user, unmount } = open()
  await user.click(await screen.findByRole('link', { name: /Ada Lovelace/ }))
  const dialog = await screen.findByRole('dialog', { name: /Ada Lovelace/ })
  expect(query()).toEqual({ open: 'cus_1' })
  expect(await within(dialog).findByText('prefers email')).toBeTruthy()
  await user.click(within(dialog).getByRole('tab', { name: 'Subscriptions' }))
  expect(query()).toEqual({ open: 'cus_1', tab: 'subscriptions' })
  expect(await within(dialog).findByText('$49.00 / month')).toBeTruthy()
  unmount()
  const summary = { total: 1, active: 1, healthy: 1, ssl_issues: 0 }
  const sitesApi = mockApi(sites, {
    listSites: () => ({ sites: [aSite()], has_more: false, total: 1, summary }),
  })
  open('?open=cus_1&tab=sites')
  const again = await screen.findByRole('dialog', { name: /Ada Lovelace/ })
  const link = await within(again).findByRole('link', { name: /Harbour Bakery/ })
  expect(link.getAttribute('href')).toBe('/admin/sites?open=site_1')
  expect(sitesApi.calls().find(({ name }) => name === 'listSites')?.query).toMatchObject({ customer_id: 'cus_1' })
  await user.click(within(again).getByRole('button', { name: 'Close' }))
  expect(query()).toEqual({})
})

test('says while the first import runs that customers are missing, and that none is there yet', async () => {
  mockApi(customers, { listCustomers: () => ({ customers: [ada], has_more: false, total: 1, as_of: null }) })
  const { unmount } = renderPage(<CustomersPage />, { route })
  expect(await screen.findByText('1 customer so far. The import from Stripe is not complete.')).toBeTruthy()
  unmount()
  mockApi(customers, { listCustomers: () => ({ customers: [], has_more: false, total: 0, as_of: null }) })
  renderPage(<CustomersPage />, { route })
  expect(await screen.findByText('The import from Stripe is not complete.')).toBeTruthy()
  expect(screen.queryByText(/No customers found/)).toBeNull()
})

test('says that a customer does not exist, and offers nothing to do with one', async () => {
  mockApi(customers, {
    listCustomers: () => ({ customers: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }),
  })
  mockApi(customers, { getCustomer: () => problem(404, { code: 'not_found', title: 'Not found' }) })
  renderPage(<CustomersPage />, { route: `${route}?open=cus_x` })
  const dialog = within(await screen.findByRole('dialog', { name: 'Customer not found' }))
  expect(dialog.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Close'])
  expect(dialog.queryByRole('tab')).toBeNull()
})

test('offers the row menu by keyboard and names the permission that is missing', async () => {
  const { user } = open('', [ada, grace], false, 'customers.delete')
  const link = await screen.findByRole('link', { name: /Ada Lovelace/ })
  link.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('grace@example.com')
  await user.keyboard('{Shift>}{F10}{/Shift}')
  const menu = await screen.findByRole('menu', { name: 'Actions for grace@example.com' })
  const items = within(menu).getAllByRole('menuitem')
  expect(items.map((item) => item.firstChild?.textContent)).toEqual([
    'View Details',
    'Edit Customer',
    'New Subscription',
    'Impersonate',
    'Suspend Account',
    'Delete Customer',
  ])
  expect(items[5]?.getAttribute('aria-disabled')).toBe('true')
  expect(items[5]?.textContent).toContain('Needs the permission customers.delete')
})

const exportAs = async (user: ReturnType<typeof open>['user'], format: string) => {
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('menuitem', { name: format }))
}

test('exports all that match, saves the file by itself and says how many', async () => {
  const { user } = open('?status=active&after=cus_9&at=25')
  const { ordered, followed } = mockExports()
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await exportAs(user, 'Excel (XLSX)')
  expect(await screen.findByText('Exported 2 customers')).toBeTruthy()
  expect(ordered()).toEqual([{ kind: 'customers', format: 'xlsx', parameters: { status: 'active' } }])
  expect(followed).toHaveLength(1)
})

test('an export that failed says why and saves no file', async () => {
  const { user } = open()
  const { followed } = mockExports({ state: 'failed', reason: 'There are more than the 10,000 rows', bytes: null })
  await exportAs(user, 'PDF')
  expect(await screen.findByText('The export failed. No file was saved.')).toBeTruthy()
  expect(screen.getByText('There are more than the 10,000 rows')).toBeTruthy()
  expect(followed).toEqual([])
})

test('an export that takes long leads to where it can be followed', async () => {
  const { user } = open()
  const { followed } = mockExports({ state: 'running', bytes: null })
  // Each look at the clock is a second later.
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * seconds++)
  await exportAs(user, 'CSV')
  const link = await screen.findByRole('link', { name: 'Exports' })
  expect(link.getAttribute('href')).toBe('/admin/reports?tab=exports')
  expect(screen.getByText('Exporting customers. The file will be under Exports.')).toBeTruthy()
  expect(followed).toEqual([])
})

test('becomes cards with the three facts that matter on a phone', async () => {
  showOn('phone')
  open()
  const card = (await screen.findByRole('link', { name: /Ada Lovelace/ })).closest('li')!
  expect(
    within(card)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['Status', 'Due', 'Revenue'])
})
