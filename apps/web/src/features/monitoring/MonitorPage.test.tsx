import * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MonitoringOverview } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { anOverview } from '../../../test/monitoring-fixtures.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { MonitorPage } from './MonitorPage.tsx'

afterEach(() => {
  vi.useRealTimers()
})

function open(part: Partial<MonitoringOverview> | Response = {}, search = '') {
  const api = mockApi(monitoring, {
    getMonitoringOverview: () => (part instanceof Response ? part.clone() : anOverview(part)),
  })
  return { api, ...renderPage(<MonitorPage />, { route: `/admin/monitor${search}` }) }
}
const card = (name: string) => within(screen.getByRole('region', { name }))
const loaded = () => screen.findByText('Services healthy')
const hrefOf = (link: HTMLElement) => link.getAttribute('href')
const address = () => window.location.search

test('has six cards, each of which leads to its screen', async () => {
  open()
  await loaded()
  const links = screen
    .getAllByRole('region')
    .map((region) => [region.querySelector('h2')?.textContent, region.querySelector('footer a')?.getAttribute('href')])
  expect(links).toEqual([
    ['System Overview', '/admin/health'],
    ['Active Alerts', '/admin/alerts'],
    ['Recent Incidents', '/admin/incidents'],
    ['Service Health', '/admin/monitoring/services'],
    ['Site Health', '/admin/monitoring/sites'],
    ['Performance Metrics', '/admin/monitoring/performance'],
  ])
})

test('counts what is healthy and what is alarming', async () => {
  open()
  await loaded()
  const figures = card('System Overview')
  const read = (label: string) => figures.getByText(label).closest('div')?.querySelector('dd')?.textContent
  expect(['Services healthy', 'Sites healthy', 'Active alerts', 'Critical alerts'].map(read)).toEqual([
    '10/11',
    '60/63',
    '4',
    '3',
  ])
})

test('lists alerts by severity, the worst first, with their states', async () => {
  open()
  await loaded()
  const rows = card('Active Alerts').getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual(['Critical2 open · 1 acknowledged3', 'Warning1 open1'])
  expect(hrefOf(within(rows[0]!).getByRole('link'))).toBe('/admin/alerts?severity=critical')
})

test('shows five incidents, ten sites and all services, with hostile names as text', async () => {
  const some = anOverview()
  const many = <T,>(one: T, change: (index: number) => Partial<T>) =>
    Array.from({ length: 12 }, (_, index) => ({ ...one, ...change(index) }))
  open({
    recentIncidents: many(some.recentIncidents[0]!, (index) => ({ id: `inc_${index}` })),
    siteHealth: many(some.siteHealth[0]!, (index) => ({
      siteId: `site_${index}`,
      siteName: index === 0 ? '<img src=x onerror=alert(1)>' : `Site ${index}`,
    })),
    serviceHealth: many(some.serviceHealth[0]!, (index) => ({ serviceName: `Service ${index}` })),
  })
  await loaded()
  expect(card('Recent Incidents').getAllByRole('listitem')).toHaveLength(5)
  expect(card('Site Health').getAllByRole('listitem')).toHaveLength(10)
  expect(card('Service Health').getAllByRole('listitem')).toHaveLength(12)
  expect(card('Site Health').getByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
})

test('an incident leads to itself, with its number, severity, status and who handles it', async () => {
  open()
  await loaded()
  const row = card('Recent Incidents').getByRole('link', { name: /Harbour Bakery is down/ })
  expect(hrefOf(row)).toBe('/admin/incidents/inc_1')
  expect(row.textContent).toContain('INC-12 · Grace Hopper')
  expect(within(row).getByText('SEV3')).toBeTruthy()
  expect(within(row).getByText('Investigating')).toBeTruthy()
})

test('services and sites show their state, response, uptime and alerts', async () => {
  open()
  await loaded()
  const [service] = card('Service Health').getAllByRole('listitem')
  expect(service?.textContent).toBe('DatabasePostgreSQLUnhealthy3.2 ms1 alertjust now')
  expect(hrefOf(within(service!).getByRole('link', { name: '1 alert' }))).toBe('/admin/alerts?search=Database')
  const [site] = card('Site Health').getAllByRole('listitem')
  expect(site?.textContent).toBe('Harbour Bakeryharbour.exampleDown99.95%2 alerts340 ms')
  expect(hrefOf(within(site!).getByRole('link', { name: /Harbour Bakery/ }))).toBe('/admin/sites?open=site_1')
})

test('metrics show how they moved, and what is not measured is no zero', async () => {
  open()
  await loaded()
  const read = (label: string) => card('Performance Metrics').getByText(label).closest('div')?.querySelector('dd')
  expect(read('Response time (p95)')?.textContent).toBe('120 ms↑ +12.4%')
  expect(read('CPU')?.textContent).toBe('Unavailable')
})

test('empty cards say the next step', async () => {
  open({ activeAlerts: [], recentIncidents: [], serviceHealth: [], siteHealth: [], performanceMetrics: [] })
  await loaded()
  const next = (name: string, link: string) => hrefOf(card(name).getByRole('link', { name: link }))
  expect(card('Active Alerts').getByText('No active alerts')).toBeTruthy()
  expect(next('Active Alerts', 'Alert rules')).toBe('/admin/alerts?tab=rules')
  expect(next('Recent Incidents', 'Open an incident')).toBe('/admin/incidents')
  expect(next('Site Health', 'Add a site')).toBe('/admin/sites')
  expect(card('Service Health').getByText('No checks yet')).toBeTruthy()
  expect(card('Performance Metrics').getByText('No figures yet')).toBeTruthy()
})

test('says when it was updated, and refreshes on demand', async () => {
  const { api, user } = open()
  await loaded()
  expect(screen.getByText(/^Last updated \d+:\d\d [AP]M$/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(api.calls()).toHaveLength(2))
})

test('auto-refresh is on, every ten minutes, and both live in the URL', async () => {
  const { user } = open()
  await loaded()
  const auto = screen.getByRole('checkbox', { name: 'Auto-refresh' })
  const interval = screen.getByRole('combobox', { name: 'Refresh interval' })
  expect(auto).toHaveProperty('checked', true)
  expect(interval).toHaveProperty('value', '600')
  const options = within(interval).getAllByRole('option') as HTMLOptionElement[]
  expect(options.map(({ value, textContent }) => [textContent, value])).toEqual([
    ['1m', '60'],
    ['5m', '300'],
    ['10m', '600'],
    ['20m', '1200'],
  ])
  await user.selectOptions(interval, '1m')
  expect(address()).toBe('?interval=60')
  await user.click(auto)
  expect(address()).toBe('?interval=60&auto=off')
  expect(screen.getByRole('combobox', { name: 'Refresh interval' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('checkbox', { name: 'Auto-refresh' }))
  expect(address()).toBe('?interval=60')
  expect(screen.getByRole('combobox', { name: 'Refresh interval' })).toHaveProperty('disabled', false)
})

test('refreshes at the interval of the address, and not while auto-refresh is off', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const first = open({}, '?interval=60')
  await loaded()
  await vi.advanceTimersByTimeAsync(60_000)
  await waitFor(() => expect(first.api.calls()).toHaveLength(2))
  first.unmount()
  const { api } = open({}, '?interval=60&auto=off')
  await loaded()
  const before = api.calls().length
  await vi.advanceTimersByTimeAsync(20 * 60_000)
  expect(api.calls()).toHaveLength(before)
})

test.each([
  ['?auto=off', []],
  ['', ['monitoring', 'sites', 'alerts', 'incidents']],
])('with %s what changes meanwhile is read by %j', async (search, topics) => {
  const { client } = open({}, search)
  await loaded()
  expect(client.getQueryCache().getAll()[0]?.meta?.['topics']).toEqual(topics)
})

test('cards have their place while they load', () => {
  mockApi(monitoring, { getMonitoringOverview: () => new Promise<never>(() => {}) })
  renderPage(<MonitorPage />, { route: '/admin/monitor' })
  expect(screen.getAllByRole('region', { busy: true })).toHaveLength(6)
  expect(screen.getByText('Not loaded yet')).toBeTruthy()
})

test.each([
  ['the status', () => problem(503, { code: 'unavailable' }), 'HTTP 503: Service Unavailable'],
  ['no answer', () => Response.error(), 'Failed to fetch monitoring data'],
])('a failure says %s and can be tried again', async (_what, failure, words) => {
  mockApi(monitoring, {
    getMonitoringOverview: () => {
      const answer = failure()
      if (answer.type === 'error') throw new TypeError('Failed to fetch')
      return answer
    },
  })
  const { user } = renderPage(<MonitorPage />, { route: '/admin/monitor' })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.queryByRole('region')).toBeNull()
  mockApi(monitoring, { getMonitoringOverview: () => anOverview() })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await loaded()
  expect(screen.queryByText(words)).toBeNull()
})

test('what was read before stays, with its age', async () => {
  const { user } = open({ lastUpdated: new Date(Date.now() - 3 * 3_600_000).toISOString() })
  await loaded()
  mockApi(monitoring, { getMonitoringOverview: () => problem(500) })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  const alert = (await screen.findByText(/^HTTP 500: Internal Server Error/)).closest<HTMLElement>('[role=alert]')!
  expect(alert.textContent).toContain('Showing old data: 3 h')
  expect(card('System Overview').getByText('10/11')).toBeTruthy()
  expect(card('System Overview').getByRole('button', { name: 'retry' })).toBeTruthy()
})

test('without the permission nothing is asked', async () => {
  const api = mockApi(monitoring, { getMonitoringOverview: () => anOverview() })
  renderPage(<MonitorPage />, { route: '/admin/monitor', session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see monitoring')).toBeTruthy()
  expect(screen.getByText('Needs the permission sites.read')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
