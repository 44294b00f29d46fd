import * as systemAnalytics from '@agency/contract/descriptors/system-analytics'
import type { AnalyzedSite, ScoreTerm, SystemAnalytics } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { SystemAnalyticsPage } from './SystemAnalyticsPage.tsx'

const site = (name: string, part: Partial<AnalyzedSite> = {}): AnalyzedSite => ({
  ...{ site_id: `site_${name}`, site_name: name, domain: `${name.toLowerCase()}.example`, visitors: 10, events: 120 },
  ...{ engagement: 12, visitor_days: 30, event_days: 30, source: 'cloudflare', is_sampled: false, ...part },
})
const term = (part: Partial<ScoreTerm>): ScoreTerm => ({
  ...{ key: 'uptime', label: 'Uptime', definition: 'How long it was up.', weight: 30, points: 100 },
  ...{ measured: '100% up', lost: 0, worst: null, ...part },
})

const answer = (part: Partial<SystemAnalytics> = {}): SystemAnalytics => ({
  ...{ since: '2026-10-23', until: '2026-11-21', as_of: new Date().toISOString() },
  overview: {
    ...{ total_sites: 14, active_customers: 8, total_events_30d: 5000, total_sessions_30d: 700 },
    ...{ total_events: 1234, total_sessions: 56 },
  },
  platform_metrics: {
    performance_score: 86,
    score_terms: [
      term({}),
      term({
        ...{ key: 'speed', label: 'Speed', points: 70, measured: 'average score 70', lost: 9 },
        worst: { site_id: 'site_slow', site_name: 'Slow Site', measured: 'score 20' },
      }),
      term({ key: 'errors', label: 'Server errors', weight: 20, points: null, measured: null, lost: null }),
    ],
    daily_events: [
      { date: '2026-11-20', events: 60, sessions: 4 },
      { date: '2026-11-21', events: null, sessions: null },
    ],
    customer_growth: [{ date: '2026-11-21', customers: 9 }],
  },
  top_sites: [
    site('Alpha'),
    site('Beta', { engagement: 7 }),
    site('Gamma', { engagement: 5 }),
    site('Delta', { engagement: null, visitors: null, source: 'both', is_sampled: true }),
  ],
  coverage: {
    ...{ sites_measured: 12, sites_with_beacon: 2, days: 30, event_days: 29, session_days: 8, is_sampled: true },
    ...{ cloudflare_at: new Date().toISOString(), is_cloudflare_connected: true },
  },
  ...part,
})

type Answered = Partial<SystemAnalytics> | Response | (() => Response)
function open(given: Answered = {}, route = '/admin/analytics') {
  const api = mockApi(systemAnalytics, {
    getSystemAnalytics: () =>
      given instanceof Response
        ? given
        : typeof given === 'function'
          ? given()
          : { success: true, data: answer(given) },
  })
  return { api, ...renderPage(<SystemAnalyticsPage />, { route }) }
}
const card = async (label: string) => {
  await waitFor(() => expect(screen.queryAllByRole('article', { busy: true })).toEqual([]))
  return screen.getByText(label, { selector: 'article *' }).closest('article')!
}
const alertWith = async (words: string | RegExp) =>
  (await screen.findByText(words, { selector: '[role=alert], [role=alert] > div > p' })).closest<HTMLElement>(
    '[role=alert]',
  )!

test('shows the four figures, of which days they are and how much is known', async () => {
  const { api } = open()
  expect((await card('Total Sites')).textContent).toBe('Total Sites1412 with traffic data')
  expect((await card('Active Customers')).textContent).toBe('Active Customers8subscribed now')
  expect((await card('Total Events')).textContent).toBe('Total Events1.2Kpage views and goals in 30 days')
  expect(screen.getByTitle('1,234').textContent).toBe('1.2K')
  expect((await card('Total Sessions')).textContent).toBe('Total Sessions56visits, 8 of 30 days known')
  expect(screen.getByText(/^10\/23\/2026 – 11\/21\/2026/).textContent).toContain(
    '(days in UTC) · traffic of 12 of 14 sites · 2 with a beacon · events of 29 of 30 days · sessions of 8 of 30 days · sessions sampled',
  )
  expect(api.calls()[0]?.query).toEqual({})
})

test('what neither Cloudflare nor a beacon told is unavailable, never zero', async () => {
  const { overview, coverage, platform_metrics } = answer()
  open({
    overview: { ...overview, total_events: null, total_sessions: null, active_customers: null },
    platform_metrics: { ...platform_metrics, performance_score: null, daily_events: [], customer_growth: [] },
    coverage: { ...coverage, is_cloudflare_connected: false },
    top_sites: [],
  })
  expect((await card('Total Events')).textContent).toContain('—UnavailableConnect Cloudflare or switch on a beacon')
  expect((await card('Active Customers')).textContent).toContain('—Unavailable')
  expect(screen.getByText(/Not enough data yet/)).toBeDefined()
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.getByText('No traffic data')).toBeDefined()
  // An empty table keeps its head.
  expect(screen.getByRole('columnheader', { name: 'Engagement' })).toBeDefined()
})

test('lists the top sites with their engagement in its colour', async () => {
  open()
  await card('Total Sites')
  const table = screen.getByRole('table', { name: 'Top Sites' })
  const tones = within(table)
    .getAllByText(/per visitor/)
    .map((chip) => [chip.textContent, chip.dataset['tone']])
  expect(tones).toEqual([
    ['12 per visitor', 'success'],
    ['7 per visitor', 'warning'],
    ['5 per visitor', 'error'],
  ])
  const delta = within(table).getByRole('row', { name: /Delta/ })
  expect(delta.textContent).toContain('Unavailable120UnavailableBoth, sampled')
})

test('a day of which nothing is known is a gap in the chart’s table', async () => {
  const { user } = open()
  await card('Total Sites')
  const panel = await screen.findByRole('region', { name: 'Daily Events' })
  await user.click(within(panel).getByRole('button', { name: 'Show as table' }))
  const rows = within(panel)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Day (UTC)', 'Events', 'Sessions'],
    ['11/21/2026', '—', '—'],
    ['11/20/2026', '60', '4'],
  ])
})

test('the score says what costs it the most, and a click shows its terms', async () => {
  const { user } = open()
  const meter = await screen.findByRole('meter', { name: 'Out of 100' })
  expect(meter.getAttribute('aria-valuenow')).toBe('86')
  expect(screen.getByText('Most points lost: speed, 9 points (average score 70).')).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'How it is calculated' }))
  const dialog = await screen.findByRole('dialog', { name: 'Platform Health Score' })
  expect(dialog.textContent).toContain('Would raise it most: speed, up to 9 points.')
  expect(within(dialog).getAllByRole('link', { name: 'Slow Site' })[0]?.getAttribute('href')).toBe(
    '/admin/sites?open=site_slow',
  )
  const rows = within(dialog)
    .getAllByRole('row')
    .map((row) => [...row.children].slice(1).map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Measured', 'Weight', 'Points', 'Lost'],
    ['100% up', '30%', '100', '0'],
    ['average score 70Worst: Slow Site (score 20)', '30%', '70', '9'],
    ['Unavailable', '—', '—', '—'],
  ])
})

const daysAsked = ({ start_date = '', end_date = '' }: Record<string, string> = {}) =>
  (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000 + 1

test('the range is in the address and decides what is asked', async () => {
  const { api, user } = open({}, '/admin/analytics?range=7d')
  await card('Total Sites')
  expect(daysAsked(api.calls()[0]?.query)).toBe(7)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Date range' }), 'Last 12 months')
  await waitFor(() => expect(daysAsked(api.calls().at(-1)?.query)).toBe(365))
  expect(window.location.search).toBe('?range=12m')
})

test('a custom range is asked for once both of its days are there and in order', async () => {
  const { api } = open({}, '/admin/analytics?range=custom&from=2026-01-01&to=2026-01-31')
  await card('Total Sites')
  expect(api.calls()[0]?.query).toEqual({ start_date: '2026-01-01', end_date: '2026-01-31' })
})

test('a custom range that ends before it begins says so', async () => {
  const { api } = open({}, '/admin/analytics?range=custom&from=2026-02-01&to=2026-01-31')
  expect(await alertWith(/^The last day must not be before the first\./)).toBeDefined()
  await card('Total Sites')
  expect(api.calls()[0]?.query).toEqual({})
})

const told = (message: string) =>
  problem(503, { code: 'unavailable', detail: message, success: false, error: { message } })

test.each([
  ['without words of its own', () => new Response('<html>', { status: 502 }), 'Failed to fetch system analytics'],
  ['with its message', () => told('The database is away'), 'The database is away'],
  ['with an empty message', () => told(''), 'Failed to fetch data'],
  [
    'in an answer of success',
    () => Response.json({ success: false, error: { message: 'No figures today' } }),
    'No figures today',
  ],
  ['in an answer of success without words', () => Response.json({ success: false }), 'Failed to fetch data'],
  [
    'where nothing was heard',
    () => {
      throw new TypeError('network')
    },
    'Unknown error',
  ],
] as const)('a failure %s is told in the specified words, with Retry', async (_name, fails, words) => {
  let isBroken = true
  const { user } = open(() => (isBroken ? fails() : Response.json({ success: true, data: answer() })))
  const alert = await alertWith(words)
  isBroken = false
  await user.click(within(alert).getByRole('button', { name: 'Retry' }))
  expect((await card('Total Sites')).textContent).toContain('14')
  expect(screen.queryByText(words)).toBeNull()
})

test('a refresh asks again, and its failure leaves the figures', async () => {
  let calls = 0
  const { user } = open(() => {
    calls++
    return calls === 1 ? Response.json({ success: true, data: answer() }) : told('The database is away')
  })
  await card('Total Sites')
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await alertWith(/^The database is away/)).toBeDefined()
  expect((await card('Total Sites')).textContent).toContain('14')
})

test('whoever may not see analytics is told what is needed, and nothing is asked', async () => {
  const api = mockApi(systemAnalytics, {})
  renderPage(<SystemAnalyticsPage />, { route: '/admin/analytics', session: testSession(['sites.read']) })
  expect(await screen.findByText('You may not see analytics')).toBeDefined()
  expect(api.calls()).toEqual([])
})

function withTab(isBlocked = false) {
  const tab = { opener: window as unknown, location: { href: '' }, close: vi.fn() }
  vi.stubGlobal('open', () => (isBlocked ? null : tab))
  return tab
}
type Exported = { success: true; data: { download_url: string | null; export_id: string } }
function openExport(exported: () => Exported | Response) {
  const api = mockApi(systemAnalytics, {
    getSystemAnalytics: () => ({ success: true, data: answer() }),
    exportSystemAnalytics: exported,
  })
  return {
    api,
    ...renderPage(<SystemAnalyticsPage />, { route: '/admin/analytics?range=custom&from=2026-01-01&to=2026-01-31' }),
  }
}
async function exportAs(user: ReturnType<typeof open>['user'], format: string) {
  await card('Total Sites')
  await user.click(screen.getByRole('button', { name: 'Export Report' }))
  await user.click(await screen.findByRole('menuitem', { name: format }))
}

test('an export opens its tab at the press, and its file there once it is ready', async () => {
  const tab = withTab()
  const { api, user } = openExport(() => ({
    success: true,
    data: { download_url: '/api/exports/exp_1/file?signature=x', export_id: 'exp_1' },
  }))
  await exportAs(user, 'CSV')
  await waitFor(() => expect(tab.location.href).toBe(`${window.location.origin}/api/exports/exp_1/file?signature=x`))
  expect(tab.opener).toBeNull()
  expect(api.calls().find(({ name }) => name === 'exportSystemAnalytics')?.body).toEqual({
    ...{ format: 'csv', report_type: 'system_overview' },
    date_range: { start_date: '2026-01-01', end_date: '2026-01-31' },
  })
})

test('an export that takes longer closes its tab and says where it will be', async () => {
  const tab = withTab()
  const { user } = openExport(() => ({ success: true, data: { download_url: null, export_id: 'exp_1' } }))
  await exportAs(user, 'JSON')
  expect(await screen.findByText(/The file will be under Exports/)).toBeDefined()
  expect(tab.close).toHaveBeenCalledOnce()
})

test('an export that failed says so, and leaves no empty tab', async () => {
  const tab = withTab()
  const { user } = openExport(() => told('The disk is full'))
  await exportAs(user, 'CSV')
  expect(await screen.findByText('The report could not be exported')).toBeDefined()
  expect(tab.close).toHaveBeenCalledOnce()
})
