import * as alerts from '@agency/contract/descriptors/alerts'
import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { alertDetailsOf, anIncident } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { IncidentsPage } from './IncidentsPage.tsx'

function mockIncidents(rows: Incident[] = [anIncident()]) {
  mockApi(alerts, { getAlert: ({ params }) => ({ alert: alertDetailsOf({ id: params.id }) }) })
  return mockApi(incidents, {
    listIncidents: () => ({
      incidents: rows,
      has_more: false,
      total: rows.length,
      counts: { active: rows.length, sev1: 1, sev2: 0, sev3: 0, sev4: 0 },
    }),
    openIncident: () => ({ incident: anIncident({ id: 'inc_13', number: 13, title: 'Shop is slow' }) }),
  })
}
const open = (rows?: Incident[], route = '/admin/incidents', session = testSession()) => ({
  api: mockIncidents(rows),
  ...renderPage(<IncidentsPage />, { route, session }),
})
const called = (api: ReturnType<typeof mockIncidents>, name: string) => api.calls().filter((call) => call.name === name)
const rowOf = async (name: string) => (await screen.findByRole('link', { name: new RegExp(name) })).closest('tr')!

test('shows number, title, severity, status, duration, assignee, what is affected, the money and active alerts', async () => {
  const opened = Date.now() - 7_500_000
  const { api } = open([
    anIncident({
      ...{ opened_at: new Date(opened).toISOString(), assignee_name: 'Ada Lovelace', is_false_positive: true },
      ...{ affected_sites: 50, affected_customers: 41, active_alerts: 7 },
    }),
  ])
  const row = within(await rowOf('Harbour Bakery is down'))
  for (const text of ['INC-12', 'SEV3', 'Open', 'False positive', '2 hours ago', 'Ada Lovelace', '$120.00', '7'])
    expect(row.getByText(text)).toBeTruthy()
  for (const text of ['50 sites', '41 customers']) expect(row.getByText(text)).toBeTruthy()
  expect(row.getByText(/^2 h 5 min$/)).toBeTruthy()
  expect(row.getByRole('link', { name: /Harbour Bakery/ }).getAttribute('href')).toBe('/admin/incidents/inc_12')
  expect(screen.getByText('1 active · 1 SEV1')).toBeTruthy()
  expect(api.calls().map(({ name }) => name)).toEqual(['listIncidents'])
})

test('filters, search and sort stand in the address and reach the server', async () => {
  const { api, user } = open()
  await rowOf('Harbour Bakery is down')
  await user.click(screen.getByRole('button', { name: /^SEV1/ }))
  await user.selectOptions(screen.getByLabelText('Status'), 'resolved')
  await user.selectOptions(screen.getByLabelText('Sort by'), 'severity')
  await user.type(screen.getByRole('searchbox', { name: 'Search incidents' }), 'shop{Enter}')
  await waitFor(() =>
    expect(api.calls().at(-1)?.query).toMatchObject({
      ...{ severity: 'sev1', status: 'resolved', sort: 'severity', search: 'shop' },
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Remove filter Status: Resolved' }))
  await waitFor(() => expect(api.calls().at(-1)?.query).not.toHaveProperty('status'))
})

test('whoever may not see money gets no column of it', async () => {
  open([anIncident({ at_risk: null })], undefined, testSession(['sites.read']))
  await rowOf('Harbour Bakery is down')
  expect(screen.queryByRole('columnheader', { name: 'Revenue at risk' })).toBeNull()
})

test('says that there are none, that none match, that it failed, and that it is denied', async () => {
  const none = open([])
  expect(await screen.findByText('No active incidents')).toBeTruthy()
  none.unmount()
  const noMatch = open([], '/admin/incidents?severity=sev1')
  expect(await screen.findByText('No incidents match your filters')).toBeTruthy()
  noMatch.unmount()
  const denied = open([], undefined, testSession(['customers.read']))
  expect(await screen.findByText('You may not see incidents')).toBeTruthy()
  denied.unmount()
  mockApi(incidents, { listIncidents: () => problem(503, { code: 'unavailable' }) })
  renderPage(<IncidentsPage />, { route: '/admin/incidents' })
  expect(await screen.findByText(/Failed to load the incidents/)).toBeTruthy()
})

test('opens an incident by hand and leads to it', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Open incident' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Open incident' }))
  await user.click(dialog.getByRole('button', { name: 'Open incident' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Enter a title')
  await user.type(dialog.getByLabelText('Title'), ' Shop is slow ')
  await user.selectOptions(dialog.getByLabelText('Severity'), 'sev2')
  await user.click(dialog.getByRole('button', { name: 'Open incident' }))
  expect(await screen.findByText('Opened INC-13 · Shop is slow')).toBeTruthy()
  expect(called(api, 'openIncident')).toMatchObject([
    { body: { title: 'Shop is slow', severity: 'sev2', alert_ids: [] } },
  ])
  expect(called(api, 'openIncident')[0]?.headers.get('idempotency-key')).toBeTruthy()
  await waitFor(() => expect(window.location.pathname).toBe('/admin/incidents/inc_13'))
})

test('an address opens the dialog with alerts, and their first one names it', async () => {
  const { api, user } = open(undefined, '/admin/incidents?act=open&alerts=al_1%2Cal_2')
  // The dialog that waits for the alert is another one.
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Harbour Bakery is down')
  const dialog = within(screen.getByRole('dialog', { name: 'Open incident' }))
  expect(dialog.getByLabelText<HTMLSelectElement>('Severity').value).toBe('sev3')
  expect(dialog.getByText(/and 1 more/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Open incident' }))
  await screen.findByText(/^Opened INC-13/)
  expect(called(api, 'openIncident')[0]?.body).toMatchObject({ alert_ids: ['al_1', 'al_2'] })
})

test('a refusal stands in the dialog, and closing it clears the address', async () => {
  const { user } = open(undefined, '/admin/incidents?act=open&alerts=al_1')
  mockApi(incidents, {
    openIncident: () => problem(409, { code: 'conflict', detail: 'The alert belongs to INC-9 already' }),
  })
  await screen.findByLabelText('Title')
  const dialog = within(screen.getByRole('dialog', { name: 'Open incident' }))
  await user.click(dialog.getByRole('button', { name: 'Open incident' }))
  expect(await dialog.findByText('The alert belongs to INC-9 already')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('whoever may only look cannot open one, and is told why', async () => {
  open(undefined, '/admin/incidents?act=open', testSession(['sites.read']))
  await rowOf('Harbour Bakery is down')
  const button = screen.getByRole('button', { name: 'Open incident' })
  expect(button).toHaveProperty('disabled', true)
  expect(button.getAttribute('aria-description')).toBe('Needs the permission sites.write')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('hostile titles stay texts, also on a phone', async () => {
  showOn('phone')
  const title = '<img src=x onerror=alert(1)>'
  open([anIncident({ title })])
  expect(await screen.findByText(title)).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
})
