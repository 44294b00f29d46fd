import * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MonitoredService } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { aService } from '../../../test/monitoring-fixtures.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { ServicesPage } from './ServicesPage.tsx'
import { shownDays } from './uptime-days.ts'

function open(services: MonitoredService[] | Response) {
  const api = mockApi(monitoring, {
    listServices: () => (services instanceof Response ? services.clone() : { services }),
  })
  return { api, ...renderPage(<ServicesPage />, { route: '/admin/monitoring/services' }) }
}
const cards = async () => within(await screen.findByRole('list', { name: 'Services' })).getAllByRole('listitem')

test('shows what was found of each service, since when, and its uptime', async () => {
  open([
    aService(),
    aService({
      key: 'mail',
      name: 'Mail',
      status: 'unhealthy',
      detail: 'Refused',
      response_ms: null,
      active_alerts: 2,
    }),
  ])
  const [database, mail] = await cards()
  expect(within(database!).getByText('Healthy')).toBeTruthy()
  expect(database!.textContent).toContain('Answers in 3 ms; 2 of 10 connections busy · since 11/20/2026')
  const facts = [...database!.querySelectorAll('dl > div')].map((fact) => fact.textContent)
  expect(facts).toEqual(['Response3.2 ms', 'Uptime 24 h100%', '30 d99.99%', '90 d—'])
  expect(within(mail!).getByText('Unhealthy')).toBeTruthy()
  expect(within(mail!).getByRole('link', { name: '2 alerts' }).getAttribute('href')).toBe('/admin/alerts?search=Mail')
  expect(screen.getByText('1 of 2 healthy', { exact: false })).toBeTruthy()
})

test('says once how uptime is counted', async () => {
  open([aService(), aService({ key: 'jobs', name: 'Jobs' })])
  await cards()
  const words = 'Uptime = 1 − confirmed downtime ÷ (total − maintenance − unknown)'
  expect(screen.getAllByText(words)).toHaveLength(1)
})

test('a bar for each of 90 days, in words for who cannot see them', async () => {
  open([aService()])
  const [card] = await cards()
  const bars = within(card!).getByRole('button', {
    name: 'Database, last 90 days: 1 day with downtime, 1 day without downtime, 88 days unknown. Show as table',
  })
  const drawn = [...bars.querySelectorAll('rect')]
  expect(drawn).toHaveLength(shownDays)
  expect(drawn.map((bar) => bar.dataset['state']).slice(-4)).toEqual(['unknown', 'healthy', 'down', 'unknown'])
  expect(drawn.at(-2)?.querySelector('title')?.textContent).toMatch(/^\d+\/\d+\/\d{4}: 99\.95%, down 43 s$/)
})

test('the bars open as a table by keyboard, and Escape closes it', async () => {
  const { user } = open([aService()])
  const [card] = await cards()
  within(card!)
    .getByRole('button', { name: /last 90 days/ })
    .focus()
  await user.keyboard('{Enter}')
  const table = within(await screen.findByRole('dialog', { name: 'Database, last 90 days' }))
  expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Day (UTC)',
    'Uptime',
    'Down',
    'Degraded',
    'Maintenance',
    'Unknown',
  ])
  expect(table.getAllByRole('row')).toHaveLength(shownDays + 1)
  const yesterday = table.getAllByRole('row')[2]!
  expect(
    within(yesterday)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['99.95%', '43 s', '', '', ''])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(within(card!).getByRole('button', { name: /last 90 days/ }))
})

test('before the first check says when it comes', async () => {
  open([])
  expect(await screen.findByText('No checks yet')).toBeTruthy()
  expect(screen.queryByText(/of 0 healthy/)).toBeNull()
})

test('a failure can be tried again, and later keeps what was shown', async () => {
  const { user, client } = open(problem(503, { code: 'unavailable' }))
  expect(await screen.findByText('Failed to load the services.')).toBeTruthy()
  mockApi(monitoring, { listServices: () => ({ services: [aService()] }) })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await cards()).toHaveLength(1)
  mockApi(monitoring, { listServices: () => problem(500) })
  await client.refetchQueries()
  expect(await screen.findByText(/Showing old data:/)).toBeTruthy()
  expect(await cards()).toHaveLength(1)
})

test('without the permission nothing is asked', async () => {
  const api = mockApi(monitoring, { listServices: () => ({ services: [] }) })
  renderPage(<ServicesPage />, { session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see the services')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
