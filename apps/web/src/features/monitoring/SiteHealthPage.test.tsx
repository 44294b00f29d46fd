import * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MonitoredSite } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { aMonitoredSite } from '../../../test/monitoring-fixtures.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { SiteHealthPage } from './SiteHealthPage.tsx'

const counts = { all: 63, healthy: 60, degraded: 1, down: 2, unknown: 0 }
const answer = (sites: MonitoredSite[], has_more = false) => ({ sites, has_more, total: sites.length, counts })

function open(sites: MonitoredSite[] = [aMonitoredSite()], search = '') {
  const api = mockApi(monitoring, { listMonitoredSites: () => answer(sites) })
  return { api, ...renderPage(<SiteHealthPage />, { route: `/admin/monitoring/sites${search}` }) }
}
const row = () => screen.findByRole('link', { name: /Harbour Bakery/ })

test('shows what was measured of each site, and opens its details', async () => {
  open()
  expect((await row()).getAttribute('href')).toBe('/admin/sites?open=site_1')
  const headers = screen.getAllByRole('columnheader').map((header) => header.textContent)
  expect(headers).toEqual([
    'Site',
    'Health',
    'Uptime 24 h',
    '30 d',
    '90 d',
    'Last 90 days',
    'Response',
    'Certificate',
    'Alerts',
  ])
  const cells = within((await row()).closest('tr')!).getAllByRole('cell')
  const texts = cells.map((cell) => cell.textContent)
  expect(texts.filter((_, index) => index !== 5)).toEqual([
    'Harbour Bakeryharbour.example',
    'Down',
    '98.5%',
    '99.95%',
    '—',
    '340 ms',
    '60 days left',
    '2 alerts',
  ])
  expect(cells[1]?.title).toBe('Answered with status 503')
  expect(
    within(cells[5]!).getByRole('button', { name: /^Harbour Bakery, last 90 days: 1 day with downtime/ }),
  ).toBeTruthy()
  expect(screen.getByText('60 healthy · 1 degraded · 2 down · 0 unknown')).toBeTruthy()
  expect(screen.getAllByText('Uptime = 1 − confirmed downtime ÷ (total − maintenance − unknown)')).toHaveLength(1)
})

test('asks for what the address says', async () => {
  const { api } = open([aMonitoredSite()], '?search=bakery&health=down&sort=-response_ms&size=10&after=site_9')
  await row()
  expect(api.calls()[0]?.query).toEqual({
    limit: '10',
    starting_after: 'site_9',
    search: 'bakery',
    health: 'down',
    sort: '-response_ms',
  })
})

test('health, sort and search are kept in the address', async () => {
  const { user } = open()
  await row()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Health' }), 'Down')
  expect(window.location.search).toBe('?health=down')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Slowest')
  expect(window.location.search).toBe('?health=down&sort=-response_ms')
  await user.type(screen.getByRole('searchbox', { name: 'Search site, domain or customer' }), 'bakery')
  await waitFor(() => expect(window.location.search).toBe('?health=down&sort=-response_ms&search=bakery'))
  await user.click(screen.getByRole('button', { name: /Health: Down/ }))
  expect(window.location.search).toBe('?sort=-response_ms&search=bakery')
})

test('the header of the response sorts, the slowest first', async () => {
  const { user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: 'Response' }))
  expect(window.location.search).toBe('?sort=-response_ms')
  await user.click(screen.getByRole('button', { name: 'Response' }))
  expect(window.location.search).toBe('?sort=response_ms')
})

test('the table of the days does not open the row below it', async () => {
  const { user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: /last 90 days/ }))
  const table = await screen.findByRole('dialog', { name: 'Harbour Bakery, last 90 days' })
  await user.click(within(table).getAllByRole('cell')[0]!)
  expect(window.location.pathname).toBe('/admin/monitoring/sites')
})

test('a site in maintenance says so, and what is not known is left empty', async () => {
  open([
    aMonitoredSite({
      in_maintenance: true,
      health: 'unknown',
      response_ms: null,
      ssl_expires_at: null,
      active_alerts: 0,
      uptime: { day: null, month: null, quarter: null },
      days: [],
    }),
  ])
  const cells = within((await row()).closest('tr')!).getAllByRole('cell')
  expect(cells.filter((_, index) => index !== 5).map((cell) => cell.textContent)).toEqual([
    'Harbour Bakeryharbour.example',
    'UnknownMaintenance',
    ...['—', '—', '—', '', '', '0'],
  ])
  expect(screen.getByRole('button', { name: /: 90 days unknown\. Show as table$/ })).toBeTruthy()
})

test('on a phone a row is a card with health, uptime and alerts', async () => {
  showOn('phone')
  open()
  const card = (await row()).closest('li')!
  expect(card.textContent).toContain('98.5%')
  expect(card.textContent).toContain('2 alerts')
})

test('without sites says the next step', async () => {
  open([])
  expect(await screen.findByText('No sites yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Add a site' }).getAttribute('href')).toBe('/admin/sites')
})

test('filters that match nothing can be cleared', async () => {
  const { user } = open([], '?health=down')
  expect(await screen.findByText('No sites match your filters')).toBeTruthy()
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
  expect(window.location.search).toBe('')
})

test('a failure can be tried again', async () => {
  mockApi(monitoring, { listMonitoredSites: () => problem(500) })
  const { user } = renderPage(<SiteHealthPage />, { route: '/admin/monitoring/sites' })
  expect(await screen.findByText('Failed to load the sites.')).toBeTruthy()
  mockApi(monitoring, { listMonitoredSites: () => answer([aMonitoredSite()]) })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await row()
})

test('without the permission nothing is asked', async () => {
  const api = mockApi(monitoring, { listMonitoredSites: () => answer([]) })
  renderPage(<SiteHealthPage />, { session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see sites')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
