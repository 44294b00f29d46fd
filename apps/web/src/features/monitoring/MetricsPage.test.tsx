import * as monitoring from '@agency/contract/descriptors/monitoring'
import { screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { aSeries } from '../../../test/monitoring-fixtures.ts'
import { renderPage } from '../../../test/render.tsx'
import { MetricsPage } from './MetricsPage.tsx'
import type { MetricsAnswer } from './metric-slots.ts'
import { PerformancePage } from './PerformancePage.tsx'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await import('../../ui/chart/LineFigure.tsx')
})

const since = '2026-11-21T10:00:00.000Z'
const at = (minutes: number) => new Date(Date.parse(since) + minutes * 60_000).toISOString()
const point = (minutes: number, value: number, max = value) => ({ at: at(minutes), value, max })
const rule = (part: Partial<NonNullable<MetricsAnswer['series'][number]['rule']>> = {}) => ({
  key: 'cpu',
  name: 'CPU usage',
  threshold: 80,
  is_enabled: true,
  ...part,
})

const answer = (part: Partial<MetricsAnswer> = {}): MetricsAnswer => ({
  range: '1h',
  since,
  until: at(60),
  step_seconds: 900,
  series: [
    aSeries({ key: 'cpu_percent', unit: '%', value: 81, points: [point(0, 40, 90), point(30, 50)], rule: rule() }),
    aSeries({ key: 'memory_percent', unit: '%', value: 81, points: [point(0, 81)] }),
    aSeries({ key: 'storage_percent', unit: '%', value: 80, points: [point(0, 80)] }),
    aSeries({
      key: 'event_loop_p99_ms',
      unit: 'ms',
      points: [],
      rule: rule({ name: 'Event loop', is_enabled: false }),
    }),
    aSeries({ key: 'queue_depth', unit: 'jobs', value: 3, points: [point(0, 3)] }),
    aSeries({ key: 'response_p50_ms', unit: 'ms', value: 4.2, points: [point(0, 4)] }),
    aSeries({
      key: 'response_p95_ms',
      unit: 'ms',
      value: 40,
      points: [point(0, 30)],
      rule: rule({ name: 'Slow', threshold: 35 }),
    }),
    aSeries({ key: 'response_p99_ms', unit: 'ms', value: 1400, points: [point(0, 70)] }),
  ],
  endpoints: [
    { method: 'GET', path: '/stripe/customers', requests: 1200, errors: 0, p50_ms: 3, p95_ms: 9, p99_ms: 20 },
    { method: 'POST', path: '/sites', requests: 7, errors: 2, p50_ms: 30, p95_ms: 90, p99_ms: 200 },
  ],
  endpoints_since: since,
  ...part,
})

function open(page: ReactNode, part: Partial<MetricsAnswer> = {}, search = '') {
  const api = mockApi(monitoring, { getMetrics: () => answer(part) })
  return { api, ...renderPage(page, { route: `/admin/metrics${search}` }) }
}
const loaded = () => screen.findAllByRole('button', { name: 'Show as table' })
const panel = (name: string) => within(screen.getByRole('region', { name }))
const meter = (name: string) => panel(name).getByRole('meter')
const toneOf = (name: string) => meter(name).querySelector<HTMLElement>('[data-tone]')?.dataset['tone']

test('metrics are a tab of System Health, by a range that the address names', async () => {
  const { api } = open(<MetricsPage />, {}, '?range=7d')
  await loaded()
  expect(screen.getByRole('heading', { level: 1, name: 'System Health' })).toBeTruthy()
  const tabs = within(screen.getByRole('navigation', { name: 'System Health' }))
  expect(tabs.getByRole('link', { name: 'Metrics' }).getAttribute('aria-current')).toBe('page')
  expect(tabs.getByRole('link', { name: 'Health' }).getAttribute('href')).toBe('/admin/health')
  expect(api.calls()[0]?.query).toEqual({ range: '7d' })
  const ranges = within(screen.getByRole('navigation', { name: 'Range' })).getAllByRole('link')
  expect(ranges.map((link) => link.textContent)).toEqual(['1 hour', '24 hours', '7 days', '30 days'])
  expect(ranges[2]?.getAttribute('aria-current')).toBe('page')
})

test('CPU is red above 80%, memory amber, and storage at 80% is neither', async () => {
  open(<MetricsPage />)
  await loaded()
  expect(['CPU', 'Memory', 'Storage'].map(toneOf)).toEqual(['error', 'warning', 'neutral'])
})

test('the rule stands beside the chart, with its threshold and the way to it', async () => {
  open(<MetricsPage />)
  await loaded()
  const cpu = screen.getByRole('region', { name: 'CPU' })
  expect(cpu.querySelector('footer')?.textContent).toBe('Rule: CPU usage, at 80% · Alert rules')
  expect(panel('CPU').getByRole('link', { name: 'Alert rules' }).getAttribute('href')).toBe('/admin/alerts?tab=rules')
  expect(panel('CPU').getByText('Alert at 80%')).toBeTruthy()
  const loop = screen.getByRole('region', { name: 'Event loop delay (p99)' })
  expect(loop.querySelector('footer')?.textContent).toBe('Rule: Event loop, at 80 ms (off) · Alert rules')
  expect(screen.getByRole('region', { name: 'Queue depth' }).querySelector('footer')?.textContent).toContain(
    'No alert rule',
  )
})

test('as a table gaps stay gaps, and the highest of each step stands beside the average', async () => {
  const { user } = open(<MetricsPage />)
  await loaded()
  await user.click(panel('CPU').getByRole('button', { name: 'Show as table' }))
  const rows = panel('CPU')
    .getAllByRole('row')
    .map((row) => [...row.children].slice(1).map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Average', 'Highest'],
    ['—', '—'],
    ['—', '—'],
    ['50%', '50%'],
    ['—', '—'],
    ['40%', '90%'],
  ])
})

test('what was not measured says so', async () => {
  open(<MetricsPage />)
  await loaded()
  expect(panel('Event loop delay (p99)').getByText('Not measured in the last 5 minutes')).toBeTruthy()
  expect(panel('Event loop delay (p99)').getByText('No data in this period.')).toBeTruthy()
  expect(panel('Queue depth').getByText('3 jobs')).toBeTruthy()
})

test('performance shows the percentiles with their values now', async () => {
  open(<PerformancePage />)
  await loaded()
  const now = screen.getByRole('region', { name: 'Console response time' }).querySelectorAll('dl > div')
  expect([...now].map((line) => line.textContent)).toEqual(['p504.2 ms', 'p9540 ms', 'p991.4 s'])
  expect(now[1]?.querySelector('dd')?.dataset['tone']).toBe('warning')
  expect(now[2]?.querySelector('dd')?.dataset['tone']).toBe('neutral')
})

test('endpoints are listed, the slowest first, and sorted by what the address says', async () => {
  const { user } = open(<PerformancePage />)
  await loaded()
  const table = () => within(screen.getByRole('table', { name: 'Endpoints' }))
  const rows = () =>
    table()
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows()).toEqual([
    ['POST /sites', '7', '2', '30 ms', '90 ms', '200 ms'],
    ['GET /stripe/customers', '1,200', '', '3 ms', '9 ms', '20 ms'],
  ])
  await user.click(table().getByRole('button', { name: 'Requests' }))
  expect(window.location.search).toBe('?sort=-requests')
  expect(rows()[0]?.[0]).toBe('GET /stripe/customers')
})

test('a long list of endpoints is shown in two steps', async () => {
  const endpoints = Array.from({ length: 60 }, (_, index) => ({
    ...answer().endpoints[0]!,
    path: `/path/${index}`,
  }))
  const { user } = open(<PerformancePage />, { endpoints })
  await loaded()
  const count = () => within(screen.getByRole('table', { name: 'Endpoints' })).getAllByRole('row').length - 1
  expect(count()).toBe(25)
  await user.click(screen.getByRole('button', { name: 'Show all 60' }))
  expect(count()).toBe(60)
})

test('before the first call says when figures come', async () => {
  open(<PerformancePage />, { endpoints: [] })
  expect(await screen.findByText(/^No calls yet/)).toBeTruthy()
})

test('charts have their place while they load', () => {
  mockApi(monitoring, { getMetrics: () => new Promise<never>(() => {}) })
  renderPage(<MetricsPage />, { route: '/admin/metrics' })
  const names = screen.getAllByRole('region', { busy: true }).map((region) => region.querySelector('h2')?.textContent)
  expect(names).toEqual(['CPU', 'Memory', 'Storage', 'Event loop delay (p99)', 'Database connections', 'Queue depth'])
})

test('a failure can be tried again, and later keeps what was shown', async () => {
  mockApi(monitoring, { getMetrics: () => problem(503, { code: 'unavailable' }) })
  const { user, client } = renderPage(<MetricsPage />, { route: '/admin/metrics' })
  expect(await screen.findByText('Failed to load the metrics.')).toBeTruthy()
  mockApi(monitoring, { getMetrics: () => answer() })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await loaded()
  mockApi(monitoring, { getMetrics: () => problem(503, { code: 'unavailable' }) })
  await client.refetchQueries()
  expect(await screen.findByText(/Showing old data:/)).toBeTruthy()
  expect(toneOf('CPU')).toBe('error')
})
