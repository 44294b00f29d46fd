import * as reportsCustomers from '@agency/contract/descriptors/reports-customers'
import * as reportsRevenue from '@agency/contract/descriptors/reports-revenue'
import * as reportsUsage from '@agency/contract/descriptors/reports-usage'
import type { Change } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import type { ResponseOf } from '../../lib/api.ts'
import { ReportsPage } from './ReportsPage.tsx'

type Revenue = ResponseOf<typeof reportsRevenue.getRevenueReport>
type Customers = ResponseOf<typeof reportsCustomers.getCustomerReport>
type Usage = ResponseOf<typeof reportsUsage.getUsageReport>
type UsageSites = ResponseOf<typeof reportsUsage.listUsageSites>
type Performance = ResponseOf<typeof reportsUsage.getPerformanceReport>

const change = (current: number | null, compared: number | null = null, percent: number | null = null): Change => ({
  ...{
    current,
    compared,
    percent,
    reason: current === null ? 'Nothing was measured' : null,
    definition: 'How it is counted',
  },
})
const bounds = (first_day: string, last_day: string) => ({
  ...{ from: `${first_day}T00:00:00.000Z`, until: `${last_day}T00:00:00.000Z`, first_day, last_day },
})
const period: Revenue['period'] = {
  ...{ range: 'last_30_days', compare: 'previous', time_zone: 'Europe/Berlin', time_zone_is_default: false },
  current: bounds('2026-10-23', '2026-11-21'),
  compared: bounds('2026-09-23', '2026-10-22'),
}
const part = { month: '2026-11', from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z', partial: true }

const revenue: Revenue = {
  period,
  currency: 'usd',
  headline: {
    total_revenue: change(123_450, 100_000, 23.4),
    active_subscriptions: change(42, 40, 5),
    total_sites: change(14, 14, 0),
    avg_response_time: change(null),
  },
  by_currency: [{ currency: 'usd', revenue: change(123_450) }],
  months: [{ ...part, revenue: 123_450, subscriptions: 42, growth: null }],
  days: null,
  bridges: [
    {
      currency: 'usd',
      months: [
        {
          ...{ ...part, start: 10_000, new: 4000, expansion: 500, reactivation: 0, contraction: 250, churn: 1250 },
          ...{ end: 13_000, reconstructed: false },
        },
      ],
      now: { mrr: 13_000, committed: 12_000, past_due: 900 },
    },
  ],
  gross_to_net: [
    {
      ...{ currency: 'usd', months: [], gross: 130_000, refunds: 5000, disputes: 1550, revenue: 123_450, tax: 2000 },
      fees: { amount: null, currency: 'usd', reason: 'Payments settled in several currencies' },
      net: { amount: null, currency: 'usd', reason: 'Payments settled in several currencies' },
    },
  ],
  settlements: [],
  settlements_reason: 'Stripe’s balance transactions are not read yet',
  deferred: [{ currency: 'usd', start: 1000, added: 500, recognized: 200, end: 1300 }],
  top_sites: [
    {
      ...{ site_id: 'site_1', domain: 'harbour.example', customer_id: 'cus_1', customer: 'Harbour Ltd' },
      ...{ visits: null, visits_reason: 'Not measured', revenue: 9900, currency: 'usd' },
      ...{ conversion_rate: null, conversion_reason: 'Needs the beacon on this site' },
    },
  ],
  definitions: [{ figure: 'mrr', text: 'What subscriptions pay a month.' }],
  as_of: new Date().toISOString(),
}

const customers: Customers = {
  period,
  currency: 'usd',
  currencies: ['usd', 'eur'],
  segments: [{ id: 'starter', segment: 'Starter', count: 8, revenue: 4000, percentage: 40 }],
  paying_customers: change(12, 10, 20),
  arpa: { amount: 1083, currency: 'usd', reason: null, definition: 'MRR ÷ customers' },
  ltv: { amount: null, currency: 'usd', reason: 'Nobody left', definition: 'ARPA ÷ churn' },
  churn_rate: change(2.5, 3, -16.7),
  cohorts: [
    {
      ...{ month: '2026-10', customers: 4, mrr: 4000, reconstructed: false },
      months: [
        { offset: 0, partial: false, customers: 4, mrr: 4000, logo_percent: 100, revenue_percent: 100 },
        { offset: 1, partial: true, customers: 3, mrr: 4400, logo_percent: 75, revenue_percent: 110 },
      ],
    },
  ],
  churn: { customers: 1, mrr: 1000, causes: [{ cause: 'failed_card', customers: 1, mrr: 1000 }] },
  definitions: [{ figure: 'cohorts', text: 'Customers by the month of their first MRR.' }],
  as_of: new Date().toISOString(),
}

const usage: Usage = {
  period,
  days: 30,
  metrics: [
    {
      ...{ key: 'requests', metric: 'Requests', current: 4000, previous: 2000, change: 100, unit: 'count' },
      ...{ reason: null, definition: 'All requests', known_days: 30 },
    },
    {
      ...{ key: 'visits', metric: 'Visits', current: null, previous: null, change: null, unit: 'count' },
      ...{ reason: 'The samples reach no day', definition: 'Visits', known_days: 0 },
    },
    {
      ...{ key: 'cache_share', metric: 'Cache share', current: 62.5, previous: 60, change: 2.5, unit: 'percent' },
      ...{ reason: null, definition: 'Cached', known_days: 28 },
    },
  ],
  daily: [{ day: '2026-11-21', visits: null, requests: 4000, cached_requests: 2500, bandwidth: 1024 }],
  definitions: [{ figure: 'Margin', text: 'What is left.' }],
  as_of: new Date().toISOString(),
}
const usageSites: UsageSites = {
  sites: [
    {
      ...{ site_id: 'site_1', site_name: 'Harbour', domain: 'harbour.example', customer_id: 'cus_1' },
      ...{ customer: 'Harbour Ltd', plan: 'Starter Care', visits: null, requests: 4000 },
      bandwidth: { used: 4.5, limit: 5, percent: 90 },
      storage: { used: null, limit: 1024, percent: null },
      ...{ deployments: 2, build_minutes: 3.5, currency: 'usd', price: 2900, fees: 114, refunds: 0 },
      ...{ hosting: null, margin: null, is_upsell: true, is_loss: false },
    },
  ],
  total: 1,
  has_more: false,
  profit: [
    {
      ...{ currency: 'usd', price: 10_000, fees: 320, refunds: 500, hosting: null, margin: null },
      unassigned: { price: 700, fees: 50, refunds: 0 },
    },
  ],
  profit_reason: null,
  hosting_reason: 'Set hosting costs under System Config first',
  counts: { sites: 14, upsell: 1, loss: 2 },
}
const performance: Performance = {
  period,
  rows: [
    { date: '2026-11-20', response_time: 210, uptime: 99.9, requests: 4000, errors: 3 },
    { date: '2026-11-21', response_time: null, uptime: null, requests: null, errors: null },
  ],
  uptime: change(99.9, 99.5, 0.4),
  response_time: change(210, 250, -16),
  requests: change(4000, 2000, 100),
  errors: change(null),
  definitions: [{ figure: 'Uptime', text: '1 − down / known.' }],
  as_of: new Date().toISOString(),
}

function open(route: string, given: { revenue?: () => Revenue | Response; Exports?: () => React.ReactNode } = {}) {
  mockApi(reportsRevenue, {
    getRevenueReport: given.revenue ?? (() => revenue),
    getRevenueRows: () => ({
      ...{ figure: 'new', currency: 'usd', from: part.from, until: part.until, total: 4000, count: 1, has_more: false },
      rows: [
        {
          ...{ id: 'm1', kind: 'movement', opens: { kind: 'subscription', id: 'sub_1' }, at: part.from },
          ...{
            customer_id: 'cus_1',
            customer: 'Harbour Ltd',
            text: 'Starter Care',
            amount: 4000,
            reconstructed: false,
          },
        },
      ],
    }),
  })
  mockApi(reportsCustomers, {
    getCustomerReport: () => customers,
    listChurned: () => ({
      ...{ total: 1000, count: 1, has_more: false },
      churned: [
        {
          ...{ customer_id: 'cus_9', customer: 'Gone Ltd', at: part.from, mrr: 1000, currency: 'usd' },
          ...{ cause: 'failed_card', evidence: 'Payment of 11/02/2026 failed' },
        },
      ],
    }),
    listRenewals: () => ({
      ...{ count: 1, mrr: 2900, mrr_at_risk: 1160, currency: 'usd', definitions: [] },
      renewals: [
        {
          ...{ subscription_id: 'sub_2', customer_id: 'cus_2', customer: 'Cove Ltd', plan_name: 'Starter Care' },
          ...{ renews_at: part.until, mrr: 2900, currency: 'usd', mrr_at_risk: 1160, card_expires: '2026-11' },
          risks: [{ risk: 'card_expires', weight_percent: 40, text: 'Card expires first' }],
          ...{ domain: null, domain_expires_at: null, uptime_percent: null, traffic_percent: -12.5 },
        },
      ],
    }),
  })
  const api = mockApi(reportsUsage, {
    getUsageReport: () => usage,
    listUsageSites: () => usageSites,
    getPerformanceReport: () => performance,
  })
  return { api, ...renderPage(<ReportsPage {...(given.Exports && { Exports: given.Exports })} />, { route }) }
}

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
const card = async (label: string) => (await screen.findByText(label, { selector: 'article *' })).closest('article')!
const settled = () => waitFor(() => expect(screen.queryAllByRole('article', { busy: true })).toEqual([]))
const queriesOf = (api: ReturnType<typeof open>['api'], wanted: string) =>
  api
    .calls()
    .filter(({ name }) => name === wanted)
    .map(({ query }) => query)

test('shows the four headline figures with their measured changes, the days and the time zone', async () => {
  open('/admin/reports')
  await settled()
  expect((await card('Total Revenue')).textContent).toContain('Total Revenue$1,234.50↑ +23.4%vs the previous period')
  expect((await card('Active Subscriptions')).textContent).toContain('42↑ +5%')
  expect((await card('Total Sites')).textContent).toContain('14no change')
  expect((await card('Avg Response Time')).textContent).toContain('Avg Response Time—UnavailableNothing was measured')
  expect(screen.getByText(/^10\/23\/2026 – 11\/21\/2026, compared with/).textContent).toContain(
    '9/23/2026 – 10/22/2026 · times in Europe/Berlin',
  )
})

test('the index shows revenue; the tabs keep the range', async () => {
  open('/admin/reports?range=last_90_days&compare=last_year')
  await settled()
  const tabs = within(screen.getByRole('navigation', { name: 'Reports & Analytics' })).getAllByRole('link')
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
    ['Revenue', '/admin/reports/revenue?range=last_90_days&compare=last_year'],
    ['Customers', '/admin/reports/customers?range=last_90_days&compare=last_year'],
    ['Usage', '/admin/reports/usage?range=last_90_days&compare=last_year'],
    ['Performance', '/admin/reports/performance?range=last_90_days&compare=last_year'],
  ])
  expect(tabs[0]?.getAttribute('aria-current')).toBe('page')
})

test('the range and what it is compared with are in the address and decide what is asked', async () => {
  const { api, user } = open('/admin/reports/performance')
  await settled()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Date range' }), 'Last year')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Compare with' }), 'Last year')
  await waitFor(() =>
    expect(queriesOf(api, 'getPerformanceReport').at(-1)).toEqual({ range: 'last_year', compare: 'last_year' }),
  )
  expect(window.location.search).toBe('?range=last_year&compare=last_year')
})

test('a custom range is asked for with both of its days', async () => {
  const { api } = open('/admin/reports/usage?range=custom&from=2026-01-01&to=2026-01-31')
  await settled()
  const asked = { range: 'custom', from: '2026-01-01', to: '2026-01-31', compare: 'previous' }
  expect(queriesOf(api, 'getUsageReport')[0]).toEqual(asked)
  expect(queriesOf(api, 'getRevenueReport')[0]).toEqual(asked)
})

test('the bridge leads to the rows behind each of its bars', async () => {
  const { api, user } = open('/admin/reports/revenue')
  await settled()
  const steps = within(await screen.findByRole('list', { name: 'MRR bridge' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual([
    ...['$100.00Start', '+$40.00New', '+$5.00Expansion', '$0.00Reactivation', '−$2.50Contraction', '−$12.50Churn'],
    '$130.00End',
  ])
  expect((await card('Committed MRR')).textContent).toContain('$120.00')
  expect((await card('Past-due MRR')).textContent).toContain('$9.00')
  await user.click(screen.getByRole('link', { name: 'New: +$40.00' }))
  const dialog = await screen.findByRole('dialog', { name: 'New MRR' })
  expect(await within(dialog).findByText('$40.00 in 1 row')).toBeDefined()
  expect(within(dialog).getByRole('link', { name: 'Starter Care' }).getAttribute('href')).toBe(
    '/admin/subscriptions?open=sub_1',
  )
  expect(queriesOf(api, 'getRevenueRows')[0]).toMatchObject({ figure: 'new', currency: 'usd', offset: '0' })
})

test('what is not known of revenue says why', async () => {
  open('/admin/reports/revenue')
  await settled()
  expect(await screen.findByText('Stripe’s balance transactions are not read yet')).toBeDefined()
  const net = within(screen.getByRole('list', { name: 'Gross to net' })).getAllByRole('listitem')
  expect(net.at(-1)?.textContent).toBe('UnavailableNet')
  const table = screen.getByRole('table', { name: 'Top Performing Sites' })
  expect(rowsOf(table)[1]?.slice(0, 5)).toEqual([
    'harbour.example',
    'Harbour Ltd',
    'Unavailable',
    '$99.00',
    'Unavailable',
  ])
  expect(within(table).getByTitle('Needs the beacon on this site')).toBeDefined()
})

test('a definition is one click from its figure', async () => {
  const { user } = open('/admin/reports/revenue')
  await settled()
  await user.click(await screen.findByRole('button', { name: 'Definition of MRR' }))
  const popup = await screen.findByRole('dialog', { name: 'Definition of MRR' })
  expect(popup.textContent).toContain('What subscriptions pay a month.')
})

test('customers: segments, retention, churn and renewals', async () => {
  const { user } = open('/admin/reports/customers')
  await settled()
  expect(rowsOf(await screen.findByRole('table', { name: 'Customer segments' }))[1]?.slice(0, 4)).toEqual([
    'Starter',
    '8',
    '$40.00',
    '40%',
  ])
  expect((await card('LTV')).textContent).toContain('LTV—UnavailableNobody left')
  const map = screen.getByRole('region', { name: 'Retention by cohort', hidden: false })
  expect(map.textContent).toContain('October 2026$40.00100%110%')
  await user.click(screen.getByRole('link', { name: 'Customers', current: false }))
  expect(await screen.findByText('Gone Ltd')).toBeDefined()
  expect(screen.getByText('Payment of 11/02/2026 failed')).toBeDefined()
  expect(await screen.findByText('Card expires first')).toBeDefined()
  expect(screen.getByText(/^1 renew in the next 30 days with \$29\.00 a month, \$11\.60 at risk/)).toBeDefined()
})

test('usage: metrics with their changes, profit, and sites near their limits', async () => {
  open('/admin/reports/usage')
  await settled()
  expect((await card('Requests')).textContent).toContain('Requests4,000↑ +100%vs the previous period')
  expect((await card('Visits')).textContent).toContain('Visits—UnavailableThe samples reach no day')
  const cacheShare = (await card('Cache share')).textContent
  expect(cacheShare).toContain('62.5%↑ +2.5 pointsvs the previous period')
  expect(cacheShare).toContain('28 of 30 days known')
  const steps = within(screen.getByRole('list', { name: 'Profit' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual([
    ...['$100.00Charged', '−$3.20Stripe fees', '−$5.00Refunds', '$91.80Before hosting'],
    ...['UnavailableHosting', 'UnavailableMargin'],
  ])
  expect(screen.getByText(/Set hosting costs under System Config first/)).toBeDefined()
  const [, row] = rowsOf(await screen.findByRole('table', { name: 'Usage and profit by site' }))
  expect(row?.slice(0, 13)).toEqual([
    ...['Harbour', 'Harbour Ltd', 'Starter Care', '4.5 GB of 5 (90%)', 'Unavailable', '4,000', 'Unavailable'],
    ...['2 (3.5 min)', '$29.00', '$1.14', '$0.00', 'Unavailable', 'Unavailable'],
  ])
})

test('usage: the choice of sites is in the address', async () => {
  const { api, user } = open('/admin/reports/usage')
  await settled()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), 'Loss makers (2)')
  await waitFor(() => expect(queriesOf(api, 'listUsageSites').at(-1)).toMatchObject({ show: 'loss', offset: '0' }))
  expect(window.location.search).toBe('?show=loss')
})

test('performance: each day with what is known of it, and where it comes from', async () => {
  open('/admin/reports/performance')
  await settled()
  expect(rowsOf(await screen.findByRole('table', { name: 'Performance by day' }))).toEqual([
    ['Date', 'Response time', 'Uptime', 'Requests', 'Errors'],
    ['11/21/2026', 'Unavailable', 'Unavailable', 'Unavailable', 'Unavailable'],
    ['11/20/2026', '210 ms', '99.9%', '4,000', '3'],
  ])
  expect(
    screen.getByText(/Response time and uptime: this console’s monitor\. Requests and errors: Cloudflare/),
  ).toBeDefined()
})

test('a failure is told with Retry, and the next answer takes its place', async () => {
  let isBroken = true
  const { user } = open('/admin/reports/performance', {
    revenue: () => (isBroken ? problem(503, { code: 'unavailable', detail: 'Away' }) : revenue),
  })
  expect(await screen.findByText('Failed to load the headline figures.')).toBeDefined()
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect((await card('Total Sites')).textContent).toContain('14')
})

const SomeExports = () => <p>The exports</p>

test('exports have a tab where there are any', async () => {
  open('/admin/reports?tab=exports', { Exports: SomeExports })
  expect(await screen.findByText('The exports')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Exports' }).getAttribute('aria-current')).toBe('page')
  expect(screen.queryByRole('article')).toBeNull()
})

test('whoever may not see reports is told what is needed', async () => {
  renderPage(<ReportsPage />, { route: '/admin/reports', session: testSession(['sites.read']) })
  expect(await screen.findByText('You may not see reports')).toBeDefined()
})
