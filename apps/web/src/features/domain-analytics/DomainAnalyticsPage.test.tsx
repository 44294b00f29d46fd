import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import type { AnalyticsPoint, ZoneAnalytics } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { DomainAnalyticsPage } from './DomainAnalyticsPage.tsx'

const point = (day: number, requests: number, part: Partial<AnalyticsPoint> = {}): AnalyticsPoint => ({
  ts: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  requests,
  cached_requests: requests / 2,
  bytes: requests * 1024,
  cached_bytes: requests * 512,
  threats: 0,
  page_views: requests / 4,
  unique_visitors: requests / 8,
  is_partial: false,
  is_sampled: false,
  ...part,
})

const trend = { current: 1200, previous: 1000, percent: 20, definition: 'Whole days against whole days' }
const answer = (part: Partial<ZoneAnalytics> = {}): ZoneAnalytics => ({
  zone_id: 'z1',
  zone_name: 'harbour.example',
  plan: 'Free Website',
  since: '2026-11-19T00:00:00.000Z',
  until: '2026-11-21T12:00:00.000Z',
  step: 'day',
  source: 'cloudflare',
  sampled: false,
  totals: {
    requests: 3000,
    cached_requests: 1500,
    bytes: 3_072_000,
    cached_bytes: 1_536_000,
    threats: 0,
    page_views: 750,
    unique_visitors: 300,
  },
  series: [point(19, 1200), point(20, 1600), point(21, 200, { is_partial: true })],
  missing: 0,
  fetched_at: new Date().toISOString(),
  is_stale: false,
  error: null,
  limits: {
    days_back: 31,
    days_per_query: 31,
    hours_back: 72,
    samples_days_back: 7,
    samples_days_per_query: 1,
    kept_since: '2026-10-01T00:00:00.000Z',
    is_beyond_plan: false,
  },
  previous: { since: '2026-11-16T00:00:00.000Z', until: '2026-11-19T00:00:00.000Z', totals: null, series: [] },
  trends: { requests: trend },
  top_paths: [{ path: '<img src=x onerror=alert(1)>', requests: 900, bytes: 9000 }],
  top_countries: [{ country: 'T1', requests: 900, bytes: null }],
  status_codes: [],
  breakdown: {
    since: '2026-11-20T12:00:00.000Z',
    until: '2026-11-21T12:00:00.000Z',
    sampled: true,
    sample_interval: 10,
    error: null,
    paths_error: null,
  },
  ...part,
})

const silent = {
  ...{ totals: null, series: [], source: 'none', fetched_at: null, trends: {} },
  ...{ top_paths: null, top_countries: null, status_codes: null },
} as const satisfies Partial<ZoneAnalytics>

function open(part: Partial<ZoneAnalytics> | Response = {}, search = '?range=7d') {
  const api = mockApi(domainAnalytics, {
    getZoneAnalytics: () => (part instanceof Response ? part : answer(part)),
  })
  return { api, ...renderPage(<DomainAnalyticsPage />, { route: `/admin/domains/z1/analytics${search}` }) }
}
const card = async (label: string) => (await screen.findByText(label, { selector: 'article *' })).closest('article')!

test('asks for the domain and the range of the address, and shows the figures with what changed', async () => {
  const { api } = open()
  expect(await screen.findByRole('heading', { level: 1, name: 'harbour.example' })).toBeDefined()
  expect(api.calls().map(({ params, query }) => [params, query])).toEqual([[{ id: 'z1' }, { range: '7d' }]])
  expect((await card('Requests')).textContent).toContain('3,000↑ +20%vs the week before')
  expect((await card('Cached share')).textContent).toContain('50%')
  expect((await card('Bandwidth')).textContent).toContain('2.9 MB')
  expect((await card('Threats')).textContent).toContain('no earlier figures')
})

test('a share changes by points, not by percent', async () => {
  open({ trends: { requests: trend, cached_requests: { ...trend, current: 600, previous: 400, percent: 50 } } })
  await screen.findByRole('heading', { level: 1, name: 'harbour.example' })
  expect((await card('Cached share')).textContent).toContain('↑ +10 points')
})

test('figures and charts have their place before they are loaded', async () => {
  mockApi(domainAnalytics, { getZoneAnalytics: () => new Promise(() => undefined) })
  renderPage(<DomainAnalyticsPage />, { route: '/admin/domains/z1/analytics' })
  expect(await screen.findAllByRole('article', { busy: true })).toHaveLength(6)
  const panels = screen.getAllByRole('region', { busy: true })
  expect(panels.map((panel) => panel.textContent)).toEqual(['Requests', 'Bandwidth', 'Visitors', 'Threats'])
})

test('shows a chart as a table, newest first, with what is not over and what nobody knows', async () => {
  open({ series: [point(19, 1200), point(21, 200, { is_partial: true })] })
  await screen.findByRole('heading', { level: 1, name: 'harbour.example' })
  const panel = screen.getByRole('region', { name: 'Requests' })
  await userEvent.click(within(panel).getByRole('button', { name: 'Show as table' }))
  const rows = within(panel)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Day (UTC)', 'All requests', 'Cached'],
    ['11/21/2026 in progress', '200', '100'],
    ['11/20/2026', '—', '—'],
    ['11/19/2026', '1,200', '600'],
  ])
})

test('shows hostile paths as text, and names what is no country', async () => {
  open()
  const paths = await screen.findByRole('region', { name: 'Top paths' })
  expect(within(paths).getByText('<img src=x onerror=alert(1)>')).toBeDefined()
  expect(document.querySelector('img')).toBeNull()
  expect(within(screen.getByRole('region', { name: 'Top countries' })).getByText('Tor')).toBeDefined()
  expect(screen.getByText(/sampled: one request in 10 was counted/)).toBeDefined()
})

test.each([
  ['no_access', 'No access to the analytics of this domain', true],
  ['not_connected', 'Cloudflare is not connected', false],
  ['rate_limit', 'Cloudflare rate limit reached', true],
  ['unavailable', 'Cloudflare could not be read', true],
  ['refused_range', 'Cloudflare refuses this range', true],
] as const)('with %s and nothing known, says so and shows no figure', async (code, title, canRetry) => {
  open({ ...silent, error: { code, message: 'In words.', retry_after: code === 'rate_limit' ? 300 : null } })
  const alert = (await screen.findByText(title)).closest<HTMLElement>('[role=alert]')!
  expect(alert.textContent).toContain('In words.')
  if (code === 'rate_limit') expect(alert.textContent).toContain('Try again in 5 min.')
  expect(within(alert).queryByRole('button', { name: 'Retry' }) !== null).toBe(canRetry)
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByText('No figures to show')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', true)
})

test('what was read before stays, with its age', async () => {
  const fetched_at = new Date(Date.now() - 3 * 3_600_000).toISOString()
  open({ is_stale: true, fetched_at, error: { code: 'unavailable', message: 'No answer.', retry_after: null } })
  const alert = (await screen.findByText('Cloudflare could not be read')).closest<HTMLElement>('[role=alert]')!
  expect(alert.textContent).toContain('Last figures from 3 h')
  expect((await card('Requests')).textContent).toContain('3,000')
})

test('a range beyond the plan says what the plan keeps and what was kept here', async () => {
  open({ missing: 20, limits: { ...answer().limits, is_beyond_plan: true } }, '?range=90d')
  expect(await screen.findByText(/^Your plan keeps 31 days\./)).toHaveProperty(
    'textContent',
    'Your plan keeps 31 days. Earlier days come from this console, since 10/1/2026. 20 days missing.',
  )
  expect(screen.getByRole('link', { name: '90 days · beyond the plan' }).getAttribute('aria-current')).toBe('page')
})

test('a list that the plan refuses says why', async () => {
  const error = { code: 'no_access', message: 'clientRequestPath', retry_after: null } as const
  open({ top_paths: null, breakdown: { ...answer().breakdown, paths_error: error } })
  const paths = await screen.findByRole('region', { name: 'Top paths' })
  expect(paths.textContent).toContain('Not included in the plan')
})

test('no traffic at all is no failure', async () => {
  open({ series: [], totals: { ...answer().totals!, requests: 0 } })
  expect(await screen.findByText('No traffic in this period')).toBeDefined()
  expect((await card('Cached share')).textContent).toBe('Cached share—no requests')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('an unknown domain is said to be unknown', async () => {
  open(problem(404, { code: 'not_found' }))
  expect(await screen.findByText('Domain not found')).toBeDefined()
})

test('without the permission nothing is asked', async () => {
  const api = mockApi(domainAnalytics, { getZoneAnalytics: () => answer() })
  renderPage(<DomainAnalyticsPage />, { route: '/admin/domains/z1/analytics', session: testSession(['sites.read']) })
  expect(await screen.findByText('You may not see analytics')).toBeDefined()
  expect(api.calls()).toEqual([])
})
