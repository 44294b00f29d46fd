import * as billing from '@agency/contract/descriptors/billing'
import * as channels from '@agency/contract/descriptors/channels'
import * as customers from '@agency/contract/descriptors/customers'
import type { Channel, Route, RoutePreview } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { AlertsPage } from './AlertsPage.tsx'

const onCall: Channel = {
  ...{ id: 'ch_1', kind: 'webhook', name: 'On call', target: 'hooks.example.com', routes: 1 },
  ...{ is_enabled: true, is_escalation: false, created_at: '2026-11-21T09:00:00Z', last_sent_at: null },
  ...{ failing_since: null, dead_since: null, last_error: null, version: 1 },
}
const aRoute = (part: Partial<Route> = {}): Route => ({
  ...{ id: 'r_1', channel_id: 'ch_1', channel_name: 'On call', min_severity: 'error', customers: [], plans: [] },
  ...{ quiet: null, is_enabled: true, version: 4 },
  ...part,
})
const night = { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' }
const preview: RoutePreview = {
  ...{ days: 7, at_once: 2, held: 3, digests: 1 },
  examples: [{ title: 'Harbor is down', severity: 'error', at: '2026-11-21T10:00:00Z', held_until: null }],
}

function open(routes: Route[] = [aRoute()], rows: Channel[] | Response = [onCall]) {
  const api = mockApi(channels, {
    listChannels: () => (rows instanceof Response ? rows.clone() : { channels: rows }),
    listDeliveries: () => ({ deliveries: [], has_more: false, total: 0 }),
    listRoutes: () => ({ routes }),
    createRoute: () => ({ route: aRoute() }),
    updateRoute: () => ({ route: aRoute() }),
    deleteRoute: () => ({ deleted: true }),
    previewRoute: () => ({ preview }),
  })
  mockApi(customers, {
    listCustomers: () =>
      ({ customers: [{ id: 'cus_ada', name: 'Ada', email: 'ada@example.com' }], has_more: false }) as never,
  })
  mockApi(billing, { listPlans: () => ({ plans: [{ id: 'care', name: 'Care' }] }) as never })
  return { api, ...renderPage(<AlertsPage />, { route: '/admin/alerts?tab=channels' }) }
}
const panel = async () => within(await screen.findByRole('region', { name: 'Routes' }))
const called = (api: ReturnType<typeof open>['api'], name: string) => api.calls().filter((call) => call.name === name)
const actOn = async (user: ReturnType<typeof open>['user'], act: string) => {
  await user.click(await screen.findByRole('button', { name: 'Actions for On call: Error and above' }))
  await user.click(await screen.findByRole('menuitem', { name: act }))
}

test('lists what goes where, and when it is held', async () => {
  open([
    aRoute(),
    aRoute({
      ...{ id: 'r_2', min_severity: 'info', is_enabled: false, quiet: night },
      ...{ customers: [{ id: 'cus_ada', name: 'Ada' }], plans: [{ id: 'care', name: 'Care' }] },
    }),
  ])
  const list = await panel()
  for (const text of ['Error and above', 'Everything', 'Ada', 'Care', '22:00 to 07:00, Europe/Berlin', 'Off'])
    expect(await list.findByText(text)).toBeTruthy()
})

test('adds a route with quiet hours, and says what it would have sent', async () => {
  const { api, user } = open()
  await user.click((await panel()).getByRole('button', { name: 'Add route' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add route' }))
  const told = dialog.getByRole('status', { name: 'Preview' })
  expect(await within(told).findByText('Would have sent 5 messages in the last 7 days.')).toBeTruthy()
  expect(within(told).getByText('3 messages in 1 digest after quiet hours.')).toBeTruthy()
  expect(within(told).getByText('Harbor is down')).toBeTruthy()
  await user.click(await dialog.findByLabelText('Customers'))
  await user.click(await screen.findByRole('option', { name: /Ada/ }))
  await user.click(dialog.getByRole('switch', { name: /^Quiet hours/ }))
  await user.clear(dialog.getByLabelText('From'))
  await user.type(dialog.getByLabelText('From'), '9 pm')
  expect(await within(told).findByText('Complete the route to see a preview.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Add route' }))
  expect(dialog.getByText('Enter a time')).toBeTruthy()
  await user.clear(dialog.getByLabelText('From'))
  await user.type(dialog.getByLabelText('From'), '21:00')
  await user.clear(dialog.getByLabelText(/^Time zone/))
  await user.type(dialog.getByLabelText(/^Time zone/), 'Europe/Berlin')
  await user.click(dialog.getByRole('button', { name: 'Add route' }))
  expect(await screen.findByText('Added route to On call')).toBeTruthy()
  expect(called(api, 'createRoute')[0]?.body).toEqual({
    ...{ channel_id: 'ch_1', min_severity: 'warning', customer_ids: ['cus_ada'], plan_ids: [] },
    quiet: { from: '21:00', until: '07:00', time_zone: 'Europe/Berlin' },
  })
})

test('edits over the version that was seen, switches off and deletes', async () => {
  const { api, user } = open()
  await actOn(user, 'Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit route to On call' }))
  await user.selectOptions(dialog.getByLabelText('Send from severity'), 'critical')
  await user.click(dialog.getByRole('button', { name: 'Save route' }))
  await waitFor(() => expect(called(api, 'updateRoute')).toHaveLength(1))
  expect(called(api, 'updateRoute')[0]?.body).toMatchObject({ version: 4, min_severity: 'critical', quiet: null })
  await actOn(user, 'Switch off')
  expect(await screen.findByText('Switched off: route to On call')).toBeTruthy()
  expect(called(api, 'updateRoute')[1]?.body).toEqual({ version: 4, is_enabled: false })
  await actOn(user, 'Delete')
  const confirm = within(await screen.findByRole('alertdialog', { name: 'Delete route' }))
  await user.click(confirm.getByRole('button', { name: 'Delete route' }))
  await waitFor(() => expect(called(api, 'deleteRoute')).toHaveLength(1))
})

test('says that nothing is sent without routes, and that a channel comes first', async () => {
  open([], [])
  const list = await panel()
  expect(await list.findByText('No routes yet, so nothing is sent.')).toBeTruthy()
  const add = list.getByRole<HTMLButtonElement>('button', { name: 'Add route' })
  await waitFor(() => expect(add.getAttribute('aria-description')).toBe('Add a channel first'))
  expect(add.disabled).toBe(true)
})

test('without the channels none is added, and the button says why; one that is there is edited', async () => {
  const { user } = open([aRoute()], problem(503, { code: 'unavailable' }))
  const list = await panel()
  await screen.findByText('Failed to load the channels.')
  const add = list.getByRole('button', { name: 'Add route' })
  expect(add).toHaveProperty('disabled', true)
  expect(add.getAttribute('aria-description')).toBe('The channels are not loaded')
  await actOn(user, 'Edit')
  expect(await screen.findByRole('dialog', { name: 'Edit route to On call' })).toBeTruthy()
})
