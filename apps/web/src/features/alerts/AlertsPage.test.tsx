import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { alertCounts, alertDetailsOf, anAlert } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { allPermissions, renderPage, showOn, testSession } from '../../../test/render.tsx'
import { AlertsPage } from './AlertsPage.tsx'

const hostile = '<img src=x onerror=alert(1)>'

function mockAlerts(rows: Alert[] = [anAlert()]) {
  const changed = ({ params }: { params: { id: string } }) => ({ alert: rows.find(({ id }) => id === params.id)! })
  return mockApi(alerts, {
    listAlerts: () => ({ alerts: rows, has_more: false, total: rows.length, counts: alertCounts(rows) }),
    getAlert: ({ params }) => ({ alert: alertDetailsOf(rows.find(({ id }) => id === params.id)) }),
    assignees: () => ({
      people: [
        { id: 'usr_1', name: 'Ada Lovelace' },
        { id: 'usr_me', name: 'Grace Hopper' },
      ],
    }),
    acknowledgeAlert: changed,
    snoozeAlert: changed,
    assignAlert: changed,
    resolveAlert: changed,
  })
}
const meSession = () => {
  const session = personSession()
  return { ...session, actor: { ...session.actor, permissions: allPermissions } }
}
const open = (rows?: Alert[], route = '/admin/alerts', session = testSession()) => ({
  api: mockAlerts(rows),
  ...renderPage(<AlertsPage />, { route, session }),
})
type Api = ReturnType<typeof mockAlerts>
type User = ReturnType<typeof renderPage>['user']
const called = (api: Api, name: string) => api.calls().filter((call) => call.name === name)
const rowOf = async (name: string) => (await screen.findByRole('link', { name: new RegExp(name) })).closest('tr')!
async function choose(user: User, entry: string, name = 'Harbour Bakery is down') {
  await rowOf(name)
  await user.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}

test('shows subject, severity, status, age, what is affected, the money, assignee and incident, from one call', async () => {
  const { api } = open([
    anAlert({
      ...{ children: 49, affected_sites: 50, affected_customers: 41, is_flapping: true, reopened: 4 },
      ...{ assignee_name: 'Ada Lovelace', incident_id: 'inc_12', incident_number: 12 },
      at_risk: [
        { currency: 'usd', mrr: 12_000, renewals_7d: 0, renewals_30d: 0 },
        { currency: 'eur', mrr: 500, renewals_7d: 0, renewals_30d: 0 },
      ],
    }),
  ])
  const row = within(await rowOf('Harbour Bakery is down'))
  for (const text of ['Harbour Bakery, +49 more', 'Critical', 'Open', '50 sites', '41 customers', 'Ada Lovelace'])
    expect(row.getByText(text)).toBeTruthy()
  expect(row.getByText('Flapping').getAttribute('title')).toMatch(/4 times in the last hour/)
  expect(row.getByText('$120.00')).toBeTruthy()
  expect(row.getByText('+ 1 more currency')).toBeTruthy()
  expect(row.getByRole('link', { name: 'INC-12' }).getAttribute('href')).toBe('/admin/incidents/inc_12')
  expect(screen.getByText('1 active · 1 critical')).toBeTruthy()
  expect(api.calls().map(({ name }) => name)).toEqual(['listAlerts'])
})

test('whoever may not see money gets no column of it and cannot sort by it', async () => {
  open([anAlert({ at_risk: null })], '/admin/alerts', testSession(['sites.read']))
  await rowOf('Harbour Bakery is down')
  expect(screen.queryByRole('columnheader', { name: 'Revenue at risk' })).toBeNull()
  expect(screen.queryByRole('option', { name: 'Money at risk' })).toBeNull()
})

test('filters, search and sort stand in the address and reach the server', async () => {
  const { api, user } = open(undefined, '/admin/alerts?rule=site_down')
  await rowOf('Harbour Bakery is down')
  await user.click(screen.getByRole('button', { name: /^Error/ }))
  await user.click(screen.getByRole('button', { name: /^Critical/ }))
  await user.selectOptions(screen.getByLabelText('Status'), 'snoozed')
  await user.selectOptions(screen.getByLabelText('Sort by'), 'money')
  await user.type(screen.getByRole('searchbox', { name: 'Search alert or subject' }), 'bakery{Enter}')
  await waitFor(() =>
    expect(api.calls().at(-1)?.query).toMatchObject({
      severity: 'critical,error',
      status: 'snoozed',
      sort: 'money',
      search: 'bakery',
      rule: 'site_down',
    }),
  )
  expect(new URLSearchParams(window.location.search).get('severity')).toBe('critical,error')
  expect(screen.getByRole('button', { name: /^Critical/ }).getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Remove filter Rule: Site down' }))
  await waitFor(() => expect(api.calls().at(-1)?.query).not.toHaveProperty('rule'))
})

test('without active alerts it says what is watched, and with filters that none match', async () => {
  const first = open([])
  expect(await screen.findByText('No active alerts')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View rules' }).getAttribute('href')).toBe('/admin/alerts?tab=rules')
  first.unmount()
  const { user } = open([], '/admin/alerts?status=resolved')
  expect(await screen.findByText('No alerts match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('No active alerts')).toBeTruthy()
})

test('a failed refresh keeps the rows with their age', async () => {
  const down = () => problem(503, { code: 'unavailable', detail: 'Down for a moment' })
  mockApi(alerts, { listAlerts: down })
  const { client } = renderPage(<AlertsPage />, { route: '/admin/alerts' })
  expect(await screen.findByText(/Failed to load the alerts/)).toBeTruthy()
  mockAlerts()
  await client.invalidateQueries()
  await rowOf('Harbour Bakery is down')
  mockApi(alerts, { listAlerts: down })
  await client.invalidateQueries()
  expect(await screen.findByText(/Showing old data:/)).toBeTruthy()
  expect(await rowOf('Harbour Bakery is down')).toBeTruthy()
})

test('whoever may not see alerts is told which permission is missing, and nothing is asked', async () => {
  const { api } = open([], '/admin/alerts', testSession(['customers.read']))
  expect(await screen.findByText('You may not see alerts')).toBeTruthy()
  expect(screen.getByText('Needs the permission sites.read')).toBeTruthy()
  expect(api.calls()).toEqual([])
})

test('acknowledges from the row', async () => {
  const { api, user } = open()
  await choose(user, 'Acknowledge')
  expect(await screen.findByText('Acknowledged: Harbour Bakery is down')).toBeTruthy()
  expect(called(api, 'acknowledgeAlert')).toMatchObject([{ params: { id: 'al_1' } }])
})

test('a refused acknowledgement says why', async () => {
  const { user } = open()
  mockApi(alerts, {
    acknowledgeAlert: () => problem(409, { code: 'conflict', detail: 'It was resolved meanwhile' }),
  })
  await choose(user, 'Acknowledge')
  expect(await screen.findByText('Not acknowledged: Harbour Bakery is down')).toBeTruthy()
  expect(screen.getByText('It was resolved meanwhile')).toBeTruthy()
})

test('acknowledges the selected rows, but none that is acknowledged already', async () => {
  const rows = [
    anAlert(),
    anAlert({ id: 'al_2', title: 'Disk is almost full' }),
    anAlert({ id: 'al_3', title: 'Mail waits', status: 'acknowledged' }),
  ]
  const { api, user } = open(rows)
  await rowOf('Mail waits')
  await user.click(screen.getByRole('checkbox', { name: 'Select Mail waits' }))
  const bar = within(screen.getByRole('toolbar', { name: 'Selected rows' }))
  expect(bar.getByRole('button', { name: 'Acknowledge' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('checkbox', { name: 'Select Harbour Bakery is down' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Disk is almost full' }))
  expect(bar.getByRole('link', { name: 'Open incident' }).getAttribute('href')).toBe(
    '/admin/incidents?act=open&alerts=al_1%2Cal_2%2Cal_3',
  )
  await user.click(bar.getByRole('button', { name: 'Acknowledge' }))
  expect(await screen.findByText('Acknowledged 2 alerts')).toBeTruthy()
  expect(called(api, 'acknowledgeAlert').map(({ params }) => params)).toEqual([{ id: 'al_1' }, { id: 'al_2' }])
  expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull()
})

test('many that were refused are told at once', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => anAlert({ id: `al_${index}`, title: `Site ${index} is down` }))
  const { user } = open(rows)
  mockApi(alerts, { acknowledgeAlert: () => problem(503, { code: 'unavailable', detail: 'Not now' }) })
  await rowOf('Site 4 is down')
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  const bar = within(screen.getByRole('toolbar', { name: 'Selected rows' }))
  await user.click(bar.getByRole('button', { name: 'Acknowledge' }))
  expect(await screen.findByText('Not acknowledged: 5 alerts')).toBeTruthy()
})

test('snoozes for a length of time', async () => {
  const { api, user } = open()
  await choose(user, 'Snooze')
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze: Harbour Bakery is down' }))
  await user.click(dialog.getByRole('radio', { name: '4 hours' }))
  const before = Date.now()
  await user.click(dialog.getByRole('button', { name: 'Snooze alert' }))
  expect(await screen.findByText(/^Snoozed until .*: Harbour Bakery is down$/)).toBeTruthy()
  const [{ body }] = called(api, 'snoozeAlert') as unknown as [{ body: { until: string } }]
  expect(Math.round((Date.parse(body.until) - before) / 3_600_000)).toBe(4)
})

test('does not snooze until a time that lies in the past, and tells a refusal', async () => {
  const { api, user } = open()
  await choose(user, 'Snooze')
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: 'Until a time' }))
  await user.click(dialog.getByRole('button', { name: 'Snooze alert' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Choose a time')
  expect(called(api, 'snoozeAlert')).toEqual([])
  mockApi(alerts, { snoozeAlert: () => problem(409, { code: 'conflict', detail: 'It was resolved meanwhile' }) })
  await user.click(dialog.getByRole('radio', { name: '1 hour' }))
  await user.click(dialog.getByRole('button', { name: 'Snooze alert' }))
  expect(await dialog.findByText('It was resolved meanwhile')).toBeTruthy()
})

test('assigns to me first, or to nobody', async () => {
  const { api, user } = open([anAlert({ assignee_id: 'usr_1', assignee_name: 'Ada Lovelace' })], undefined, meSession())
  await choose(user, 'Assign')
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign: Harbour Bakery is down' }))
  const field = await dialog.findByLabelText<HTMLSelectElement>('Assignee')
  expect([...field.options].map(({ text }) => text)).toEqual(['Grace Hopper (me)', 'Nobody', 'Ada Lovelace'])
  expect(field.value).toBe('usr_1')
  await user.selectOptions(field, 'Grace Hopper (me)')
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  expect(await screen.findByText('Assigned to Grace Hopper: Harbour Bakery is down')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose(user, 'Assign')
  const again = within(await screen.findByRole('dialog'))
  await user.selectOptions(await again.findByLabelText('Assignee'), 'Nobody')
  await user.click(again.getByRole('button', { name: 'Assign' }))
  expect(await screen.findByText('Assigned to nobody: Harbour Bakery is down')).toBeTruthy()
  expect(called(api, 'assignAlert').map(({ body }) => body)).toEqual([{ user_id: 'usr_me' }, { user_id: null }])
})

test('resolves with a reason and without one', async () => {
  const { api, user } = open()
  await choose(user, 'Resolve')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Resolve alert' }))
  await user.type(dialog.getByLabelText('Reason (optional)'), ' The host is back ')
  await user.click(dialog.getByRole('button', { name: 'Resolve alert' }))
  expect(await screen.findByText('Resolved: Harbour Bakery is down')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await choose(user, 'Resolve')
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Resolve alert' }))
  await waitFor(() =>
    expect(called(api, 'resolveAlert').map(({ body }) => body)).toEqual([{ reason: 'The host is back' }, undefined]),
  )
})

test('the menu leads to the subject and opens an incident with the alert', async () => {
  const { user } = open()
  await rowOf('Harbour Bakery is down')
  await user.click(screen.getByRole('button', { name: 'Actions for Harbour Bakery is down' }))
  expect((await screen.findByRole('menuitem', { name: 'View site' })).getAttribute('href')).toBe(
    '/admin/sites?open=site_1',
  )
  expect(screen.getByRole('menuitem', { name: 'Open incident' }).getAttribute('href')).toBe(
    '/admin/incidents?act=open&alerts=al_1',
  )
})

test('whoever may only look sees which permission is missing', async () => {
  const { user } = open(undefined, '/admin/alerts?open=al_1', testSession(['sites.read']))
  const dialog = within(await screen.findByRole('dialog'))
  const button = await dialog.findByRole('button', { name: 'Acknowledge' })
  expect(button).toHaveProperty('disabled', true)
  expect(button.getAttribute('aria-description')).toBe('Needs the permission sites.write')
  await user.click(dialog.getByRole('button', { name: 'More for this alert' }))
  expect((await screen.findByRole('menuitem', { name: /^Snooze/ })).textContent).toMatch(/sites\.write/)
})

test('the details show facts, money with renewals, child alerts and the timeline', async () => {
  mockAlerts()
  mockApi(alerts, {
    getAlert: () => ({
      alert: alertDetailsOf({
        children: 50,
        child_alerts: [
          { id: 'al_9', title: 'Cove is down', subject_name: 'Cove', link: '/admin/sites?open=s9', status: 'open' },
        ],
        status: 'acknowledged',
        acknowledged_at: '2026-11-21T10:05:00Z',
        acknowledged_by: 'Ada Lovelace',
      }),
    }),
  })
  renderPage(<AlertsPage />, { route: '/admin/alerts?open=al_1' })
  const dialog = within(await screen.findByRole('dialog', { name: /Harbour Bakery is down/ }))
  expect(await dialog.findByText('harbour.example refuses connections.')).toBeTruthy()
  const money = within(dialog.getByRole('table', { name: 'Revenue at risk' }))
  expect(money.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['$120.00', '$49.00', '$120.00'])
  expect(dialog.getByText('Groups 50 alerts')).toBeTruthy()
  const children = within(dialog.getByRole('list', { name: 'Child alerts' }))
  expect(children.getByRole('link', { name: 'Cove' }).getAttribute('href')).toBe('/admin/sites?open=s9')
  expect(dialog.getByText('The first 1 are listed.')).toBeTruthy()
  const events = within(dialog.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
  expect(events.map((event) => event.querySelector('span')?.textContent)).toEqual(['Opened', 'Notified'])
  expect(dialog.getByRole('button', { name: 'Acknowledge' }).getAttribute('aria-description')).toBe(
    'Already acknowledged',
  )
})

test('an alert that does not exist is told so', async () => {
  mockAlerts()
  mockApi(alerts, { getAlert: () => problem(404, { code: 'not_found', detail: 'There is no such alert' }) })
  renderPage(<AlertsPage />, { route: '/admin/alerts?open=nope' })
  expect(await screen.findByRole('dialog', { name: 'Alert not found' })).toBeTruthy()
})

test('hostile and long texts stay texts', async () => {
  const long = 'Long '.repeat(24).trim()
  open([anAlert({ title: hostile, subject_name: long, detail: hostile })], '/admin/alerts?open=al_1')
  expect((await screen.findAllByText(hostile)).length).toBeGreaterThan(1)
  expect((await screen.findAllByText(long)).length).toBeGreaterThan(0)
  expect(document.querySelector('img')).toBeNull()
})

test('the rows are reached and opened with the keyboard alone', async () => {
  const { user } = open([anAlert(), anAlert({ id: 'al_2', title: 'Disk is almost full' })])
  const first = await screen.findByRole('link', { name: /Harbour Bakery is down/ })
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toMatch(/Disk is almost full/)
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('dialog', { name: /Disk is almost full|Harbour/ })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('on a phone a row is a card with severity, status and money', async () => {
  showOn('phone')
  open()
  const card = within((await screen.findByRole('link', { name: /Harbour Bakery is down/ })).closest('li')!)
  for (const fact of ['Severity', 'Status', 'Revenue at risk']) expect(card.getByText(fact)).toBeTruthy()
  expect(card.getByRole('button', { name: 'More about Harbour Bakery is down' })).toBeTruthy()
})
