import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { DashboardSection } from '@agency/contract/types'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aDeployment } from '../../../test/deployments.ts'
import { aCustomer, aPayment, someStats } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import type { ResponseOf } from '../../lib/api.ts'
import { DashboardPage } from './DashboardPage.tsx'

type Answer = ResponseOf<typeof dashboard.getDashboard>

const at = '2026-11-21T10:00:00Z'
const counts = { all: 7, queued: 0, building: 0, deploying: 0, success: 7, failed: 0, cancelled: 0 }
const section = <T,>(data: T) => ({ ok: true as const, data, as_of: new Date().toISOString() })
const broken = { ok: false as const, error: 'The mirror did not answer', code: 'unavailable' }
const part = (status: 'healthy' | 'warning' | 'error' | 'unknown') => ({ status, detail: 'Measured', checked_at: at })
const notYet = { connected: false as const, reason: 'Sites are kept by a later part of the console.' }

/** So many days up to today; those before are not known. */
const days = (known: readonly (number | null)[]): (number | null)[] => [
  ...Array.from({ length: 30 - known.length }, () => null),
  ...known,
]
const pastDays = () => ({
  days: Array.from({ length: 30 }, (_, index) =>
    new Date(Date.parse(at) - (29 - index) * 86_400_000).toISOString().slice(0, 10),
  ),
  sites: days([38, 40, 41]),
  subscriptions: days([4, 5]),
  ...{ revenue: days([0, 120_050]), currency: 'usd' },
  uptime: days([100, null, 99.95]),
  new_customers: days([0, 1, 2]),
})

function answer(change: Partial<Answer> = {}): Answer {
  return {
    stats: section(someStats()),
    customers: section({
      customers: Array.from({ length: 7 }, (_, i) => aCustomer({ id: `cus_${i}`, name: `Customer ${i}` })),
      ...{ has_more: true, total: null, as_of: at },
    }),
    payments: section({
      payments: Array.from({ length: 7 }, (_, i) => aPayment({ id: `pi_${i}`, customer_name: `Payer ${i}` })),
      ...{ has_more: true, total: null, as_of: at },
    }),
    health: section({
      health: {
        overall: 'degraded' as const,
        since: at,
        database: part('healthy'),
        cache: part('healthy'),
        storage: part('warning'),
        network: part('healthy'),
        stripe: part('unknown'),
        cloudflare: part('healthy'),
        jobs: part('healthy'),
        uptime: 93_600,
        unexpected_restarts: 2,
        backup_proven_at: null,
        uptime_percent_24h: 99.95,
        lastCheck: at,
      },
      performance: {
        response_time_ms: 12,
        response_time_p95_ms: 40,
        error_rate_percent: 0.5,
        requests: 321,
        cpu_percent: 81,
        memory_percent: 80,
        memory_bytes: 1024 ** 2 * 200,
        storage_percent: 92,
        storage_free_bytes: 1024 ** 3,
        measured_at: at,
      },
    }),
    domains: section({ ...notYet, reason: 'Cloudflare is not connected. Set CLOUDFLARE_API_TOKEN and start again.' }),
    sites: section({
      ...{ total: 41, active: 38 },
      trend: {
        current: 41,
        previous: 40,
        percent: 2.5,
        definition: 'Sites that are not deleted, now and 30 days ago.',
      },
    }),
    deployments: section({
      deployments: Array.from({ length: 7 }, (_, i) => aDeployment({ id: `dep_${i}`, site_name: `Site ${i}` })),
      ...{ has_more: true, total: 7, counts },
    }),
    ...change,
  }
}
function open(change: Partial<Answer> = {}) {
  const api = mockApi(dashboard, { getDashboard: () => answer(change) })
  return { api, ...renderPage(<DashboardPage />) }
}
const boardCalls = ({ calls }: { calls: () => { name: string }[] }) =>
  calls().filter(({ name }) => name === 'getDashboard')
const panel = (name: string) => screen.getByRole('region', { name })
const card = (label: string) => screen.getByText(label, { selector: 'a' }).closest('article')!

beforeEach(() => {
  mockApi(dashboard, {
    getNeeds: () => ({ needs: [], sources: [], as_of: at }),
    getDashboardHistory: () => ({ history: pastDays() }),
  })
})

afterEach(() => {
  vi.useRealTimers()
})

test('is one call beside those of the needs and of the past, and cards lead where the specification says', async () => {
  const { api } = open()
  await screen.findByText('42')
  expect(
    api
      .calls()
      .map((call) => [call.name, call.query])
      .sort(),
  ).toEqual([
    ['getDashboard', {}],
    ['getDashboardHistory', {}],
    ['getNeeds', {}],
  ])
  expect(
    ['Total Sites', 'Active Subscriptions', 'Total Revenue', 'System Health', 'Total Customers'].map((label) =>
      screen.getByRole('link', { name: label }).getAttribute('href'),
    ),
  ).toEqual(['/admin/sites', '/admin/subscriptions', '/admin/reports/revenue', '/admin/health', '/admin/customers'])
  expect(within(card('System Health')).getByText('Degraded')).toBeTruthy()
  expect(card('Total Customers').textContent).toContain('+5 this month')
  expect(card('Active Subscriptions').textContent).toContain('Now: 12')
  expect(card('Active Subscriptions').textContent).toContain('Before: 10')
  expect(card('Active Subscriptions').textContent).toContain('The last 30 days against the 30 before.')
  expect(card('Total Revenue').textContent).toContain('+ 1 more currency')
})

test('shows five of each, newest first as answered', async () => {
  open()
  await screen.findByText('Payer 0')
  expect(within(panel('Recent Activity')).getAllByRole('listitem')).toHaveLength(5)
  expect(within(panel('Recent Customers')).getAllByRole('listitem')).toHaveLength(5)
  expect(screen.getByRole('link', { name: /Payer 0/ }).getAttribute('href')).toBe('/admin/payments?open=pi_0')
  expect(screen.getByRole('link', { name: /Customer 0/ }).getAttribute('href')).toBe('/admin/customers?open=cus_0')
})

test('shows health, uptime and gauges with their thresholds', async () => {
  open()
  await screen.findByText('42')
  const health = panel('System Health').textContent!
  expect(health).toContain('DatabaseHealthy')
  expect(health).toContain('StorageWarning')
  expect(health).toContain('StripeUnknown')
  expect(health).toContain('1 d 2 h')
  expect(health).toContain('Unexpected restarts2')
  const tone = (name: string) => (screen.getByRole('meter', { name }).firstElementChild as HTMLElement).dataset['tone']
  expect([tone('CPU'), tone('Memory'), tone('Storage')]).toEqual(['error', 'neutral', 'warning'])
})

test('what has no source yet says so, and invents nothing', async () => {
  open()
  await screen.findByText('42')
  expect(within(panel('Cloudflare Domains')).getByText(/Set CLOUDFLARE_API_TOKEN/)).toBeTruthy()
})

test('counts the sites, with what they were 30 days ago', async () => {
  open()
  await screen.findByText('41')
  const text = card('Total Sites').textContent
  for (const part of ['+2.5%', 'Now: 41', 'Before: 40', 'Sites that are not deleted, now and 30 days ago.'])
    expect(text).toContain(part)
})

test('shows the newest five deployments with site, customer, status and start', async () => {
  open()
  await screen.findByText('Site 0')
  const table = within(panel('Recent Deployments'))
  expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Site',
    'Customer',
    'Status',
    'Started',
  ])
  expect(table.getAllByRole('row')).toHaveLength(6)
  const [, row] = table.getAllByRole('row')
  expect(row?.textContent).toContain('Site 0abc1234 · Bake more breadAda LovelaceSuccess')
  expect(table.getByRole('link', { name: 'Site 0' }).getAttribute('href')).toBe('/admin/deployments?open=dep_0')
  expect(table.getByRole('link', { name: 'All deployments' }).getAttribute('href')).toBe('/admin/deployments')
})

test('without deployments and sites that says so, as zero and not as unavailable', async () => {
  open({
    sites: section({ total: 0, active: 0, trend: { current: 0, previous: 0, percent: null, definition: 'x' } }),
    deployments: section({ deployments: [], has_more: false, total: 0, counts: { ...counts, all: 0, success: 0 } }),
  })
  expect(await screen.findByText('No deployments yet.')).toBeTruthy()
  expect(within(card('Total Sites')).getByText('0')).toBeTruthy()
  expect(within(card('Total Sites')).queryByText('Unavailable')).toBeNull()
})

test('has the quick actions and the texts of the head', async () => {
  open()
  expect(await screen.findByText(/^Last updated/)).toBeTruthy()
  expect(screen.getByText('Next refresh: 10min')).toBeTruthy()
  const quick = within(screen.getByRole('navigation', { name: 'Quick Actions' }))
  expect(quick.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Manage Customers',
    'Site Management',
    'Billing & Plans',
    'View Reports',
  ])
})

test('a section that fails leaves the others, and is tried again alone', async () => {
  const { api, user } = open({ payments: broken })
  const activity = await screen.findByRole('region', { name: 'Recent Activity' })
  expect(await within(activity).findByText('Failed to load this section')).toBeTruthy()
  expect(within(activity).getByText('The mirror did not answer')).toBeTruthy()
  expect(screen.getByText('Customer 0')).toBeTruthy()
  mockApi(dashboard, { getDashboard: () => ({ payments: answer().payments }) })
  await user.click(within(activity).getByRole('button', { name: 'Try Again' }))
  expect(await within(activity).findByText('Payer 0')).toBeTruthy()
  expect(api.calls().at(-1)?.query).toEqual({ sections: 'payments' })
  expect(screen.getByText('Customer 0')).toBeTruthy()
})

test('the activity refreshes by itself', async () => {
  const { api, user } = open()
  await screen.findByText('Payer 0')
  mockApi(dashboard, {
    getDashboard: () => ({
      payments: section({
        payments: [aPayment({ id: 'pi_new', customer_name: 'Newest payer' })],
        ...{ has_more: false, total: 1, as_of: at },
      }),
    }),
  })
  await user.click(screen.getByRole('button', { name: 'Refresh recent activity' }))
  expect(await screen.findByText('Newest payer')).toBeTruthy()
  expect(api.calls().at(-1)?.query).toEqual({ sections: 'payments' })
})

test('cards, panels and links that are not for somebody are not there', async () => {
  mockApi(dashboard, { getDashboard: () => answer() })
  renderPage(<DashboardPage />, { session: testSession(['sites.read']) })
  await screen.findByText('41')
  const cards = screen.getAllByRole('article').map((each) => each.querySelector('a')?.textContent)
  expect(cards).toEqual(['Total Sites', 'System Health'])
  const headings = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent)
  expect(headings).toEqual([...['Recent Deployments', 'System Health', 'Performance Metrics', 'Cloudflare Domains']])
  const quick = within(screen.getByRole('navigation', { name: 'Quick Actions' }))
  expect(quick.getAllByRole('link').map((link) => link.textContent)).toEqual(['Site Management'])
  expect(screen.queryByRole('link', { name: 'System Config' })).toBeNull()
  const table = within(panel('Recent Deployments'))
  expect(table.queryByRole('link', { name: 'Ada Lovelace' })).toBeNull()
  expect(table.getAllByText('Ada Lovelace')).toHaveLength(5)
})

test('a figure whose report somebody may not open has no link', async () => {
  mockApi(dashboard, { getDashboard: () => answer() })
  renderPage(<DashboardPage />, { session: testSession(['billing.read']) })
  await screen.findByText('42')
  expect(screen.queryByRole('link', { name: 'Total Revenue' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Total Customers' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Active Subscriptions' })).toBeTruthy()
})

test('a section without permission says which one it needs', async () => {
  open({
    stats: { ok: false, error: 'This needs the permission billing.read', code: 'forbidden' },
    payments: { ok: false, error: 'This needs the permission billing.read', code: 'forbidden' },
  })
  const activity = await screen.findByRole('region', { name: 'Recent Activity' })
  expect(await within(activity).findByText('This needs the permission billing.read')).toBeTruthy()
  expect(within(activity).queryByText('Failed to load this section')).toBeNull()
  expect(card('Total Revenue').textContent).toContain('This needs the permission billing.read')
})

test('with nothing known, the fallback stands, every figure marked Unavailable', async () => {
  mockApi(dashboard, { getDashboard: () => problem(500, { code: 'internal', detail: 'Broken' }) })
  renderPage(<DashboardPage />)
  expect(await screen.findByText('Failed to fetch dashboard data. Some information may be unavailable.')).toBeTruthy()
  const alert = screen.getByText('Data Fetch Error').closest<HTMLElement>('[role=alert]')!
  expect(within(alert).getByText('Unable to fetch dashboard data. Please check your connection.')).toBeTruthy()
  for (const label of ['Total Sites', 'Active Subscriptions', 'Total Revenue', 'System Health', 'Total Customers']) {
    expect(within(card(label)).getByText('Unavailable')).toBeTruthy()
  }
  for (const label of ['Total Sites', 'Active Subscriptions', 'Total Revenue', 'Total Customers']) {
    expect(within(card(label)).getByText('0')).toBeTruthy()
  }
  const health = [...panel('System Health').querySelectorAll('dl > div')].map((line) => line.textContent)
  expect(health).toEqual([
    'DatabaseErrorUnavailable',
    'CacheErrorUnavailable',
    'StorageWarningUnavailable',
    'NetworkErrorUnavailable',
    'UptimeUnknownUnavailable',
    'Last checkUnknownUnavailable',
  ])
  expect(within(panel('Performance Metrics')).getAllByText('Unavailable')).toHaveLength(5)
  expect(within(panel('Recent Activity')).getByText('Unavailable')).toBeTruthy()
})

test('a failed refresh keeps the last known figures with their age', async () => {
  const { user } = open()
  await screen.findByText('Payer 0')
  mockApi(dashboard, { getDashboard: () => problem(503, { code: 'unavailable' }) })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('Data Fetch Error')).toBeTruthy()
  expect(within(card('Active Subscriptions')).getByText('42')).toBeTruthy()
  expect(within(card('Active Subscriptions')).getByText('now')).toBeTruthy()
  expect(within(panel('Recent Activity')).getByText('Payer 0')).toBeTruthy()
  expect(within(panel('Recent Activity')).getByRole('button', { name: 'retry' })).toBeTruthy()
  expect(screen.queryByText('Unavailable')).toBeNull()
})

test('a section that fails on refresh keeps its rows', async () => {
  const { user } = open()
  await screen.findByText('Payer 0')
  mockApi(dashboard, { getDashboard: () => answer({ payments: broken }) })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  const activity = panel('Recent Activity')
  expect(await within(activity).findByRole('button', { name: 'retry' })).toBeTruthy()
  expect(within(activity).getByText('Payer 0')).toBeTruthy()
  expect(screen.queryByText('Data Fetch Error')).toBeNull()
})

test('polls every ten minutes, but not while the tab is hidden', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = open()
  await screen.findByText('42')
  expect(boardCalls(api)).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  await waitFor(() => expect(boardCalls(api)).toHaveLength(2))
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(boardCalls(api)).toHaveLength(2)
  hidden.mockRestore()
})

test('shows skeletons in place while it loads', () => {
  mockApi(dashboard, { getDashboard: () => new Promise<never>(() => {}) })
  renderPage(<DashboardPage />)
  expect(panel('Recent Activity').getAttribute('aria-busy')).toBe('true')
  expect(card('Total Revenue').getAttribute('aria-busy')).toBe('true')
  expect(screen.queryByText('Unavailable')).toBeNull()
})

test('asks again for every section that the contract names', async () => {
  const names: DashboardSection[] = ['stats', 'customers', 'payments', 'health', 'domains', 'sites', 'deployments']
  const { api } = open(Object.fromEntries(names.map((name) => [name, broken])))
  expect(await screen.findAllByText('Failed to load this section')).toHaveLength(6)
  expect(boardCalls(api)).toHaveLength(1)
})

test('a server that does not answer is told of once, not in every panel', async () => {
  vi.useFakeTimers()
  mockApi(dashboard, { getDashboard: () => new Promise<never>(() => {}) })
  renderPage(<DashboardPage />, { route: '/admin' })
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  expect(screen.getAllByText(/^Still waiting\./)).toHaveLength(1)
})

test('draws the last 30 days of each card, says them in words, and leaves the unknown out', async () => {
  open()
  await screen.findAllByRole('img')
  const drawn = (label: string) => within(card(label)).getByRole('img').getAttribute('aria-label')
  expect(drawn('Total Sites')).toBe(
    'Sites by day, last 30 days: lowest 38, highest 41, today 41; 27 of 30 days unknown',
  )
  expect(drawn('Active Subscriptions')).toMatch(/^Running subscriptions by day/)
  expect(drawn('Total Revenue')).toContain('highest $1,200.50, today $1,200.50')
  expect(drawn('System Health')).toContain('lowest 99.95%, highest 100%, today 99.95%')
  expect(drawn('Total Customers')).toMatch(/^New customers by day/)
  // One day alone is a dot.
  expect(card('System Health').querySelector('[role=img] path')?.getAttribute('d')).toMatch(
    /^M\S+ \S+h\.01M\S+ \S+h\.01$/,
  )
})

test('draws no history that is not known, not for this person, or not loaded', async () => {
  const history = { ...pastDays(), sites: null, subscriptions: days([]) }
  mockApi(dashboard, { getDashboardHistory: () => ({ history }) })
  open()
  expect(await within(card('Active Subscriptions')).findByText('No history yet')).toBeTruthy()
  expect(within(card('Total Sites')).queryByRole('img')).toBeNull()
})

test('a past that cannot be loaded takes no figure with it', async () => {
  mockApi(dashboard, { getDashboardHistory: () => problem(503, { code: 'unavailable' }) })
  open()
  expect(await screen.findByText('42')).toBeTruthy()
  expect(screen.queryByText('Failed to load this section')).toBeNull()
})
