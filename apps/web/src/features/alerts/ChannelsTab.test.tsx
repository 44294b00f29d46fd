import * as channels from '@agency/contract/descriptors/channels'
import type { Channel, Delivery } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { AlertsPage } from './AlertsPage.tsx'

const aChannel = (part: Partial<Channel> = {}): Channel => ({
  ...{ id: 'ch_1', kind: 'webhook', name: 'On call', target: 'hooks.example.com', routes: 1 },
  ...{
    is_enabled: true,
    is_escalation: false,
    dead_since: null,
    created_at: '2026-11-21T09:00:00Z',
    last_sent_at: '2026-11-21T10:00:00Z',
  },
  ...{ failing_since: null, last_error: null, version: 3 },
  ...part,
})
const aDelivery = (part: Partial<Delivery> = {}): Delivery => ({
  ...{ id: 'd_1', channel_id: 'ch_1', channel_name: 'On call', type: 'test', title: 'Test of this alert channel' },
  ...{ alert_id: null, state: 'sent', attempts: 1, error: null, held_until: null, created_at: '2026-11-21T10:00:00Z' },
  sent_at: '2026-11-21T10:00:01Z',
  ...part,
})

const mockChannels = (rows: Channel[] = [aChannel()], tested: Partial<Delivery> = {}) =>
  mockApi(channels, {
    listChannels: () => ({ channels: rows }),
    listDeliveries: () => ({
      deliveries: [aDelivery({ state: 'failed', attempts: 7, error: 'Status 503' })],
      has_more: false,
      total: 1,
    }),
    createChannel: () => ({ channel: aChannel({ name: 'Night' }), signing_secret: 'acs_secret' }),
    updateChannel: () => ({ channel: aChannel() }),
    deleteChannel: () => ({ deleted: true }),
    testChannel: () => ({ delivery: aDelivery(tested) }),
    listRoutes: () => ({ routes: [] }),
  })
const open = (rows?: Channel[], session = testSession(), tested: Partial<Delivery> = {}) => ({
  api: mockChannels(rows, tested),
  ...renderPage(<AlertsPage />, { route: '/admin/alerts?tab=channels', session }),
})
const called = (api: ReturnType<typeof mockChannels>, name: string) => api.calls().filter((call) => call.name === name)
const actOn = async (user: ReturnType<typeof open>['user'], name: string, act: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: act }))
}

test('lists channels with kind, host, state and last failure, and what was sent', async () => {
  open([
    aChannel(),
    aChannel({
      id: 'ch_2',
      name: 'Old',
      failing_since: '2026-11-21T10:00:00Z',
      last_error: 'Status 410',
      is_escalation: true,
      routes: 0,
    }),
  ])
  const old = within((await screen.findByText('Old')).closest('tr')!)
  for (const text of ['Webhook · hooks.example.com', 'Failing', 'None · escalation', 'Status 410'])
    expect(old.getByText(text)).toBeTruthy()
  expect(screen.getByText('2 channels · 1 failing')).toBeTruthy()
  const log = within(await screen.findByRole('region', { name: 'Delivery log' }))
  for (const text of ['Failed', '7 tries', 'Status 503']) expect(await log.findByText(text)).toBeTruthy()
})

test('adds a channel and shows its signing secret once', async () => {
  const { api, user } = open([])
  await user.click(await screen.findByRole('button', { name: 'Add channel' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }))
  await user.click(dialog.getByRole('button', { name: 'Add channel' }))
  expect(dialog.getByText('Enter a name')).toBeTruthy()
  expect(dialog.getByText('Enter an address that starts with https://')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^Name/), 'Night')
  await user.type(dialog.getByLabelText(/^Address/), 'https://hooks.example.com/x')
  await user.click(dialog.getByRole('button', { name: 'Add channel' }))
  expect(await screen.findByText('acs_secret')).toBeTruthy()
  expect(called(api, 'createChannel')[0]).toMatchObject({
    body: { kind: 'webhook', name: 'Night', target: 'https://hooks.example.com/x', min_severity: 'warning' },
  })
})

test.each([
  [{}, 'Test sent: On call'],
  [
    { state: 'failed' as const, error: 'The channel answered with status 404' },
    'Test not sent: On call. The channel answered with status 404',
  ],
])('sends a test and says what became of it', async (tested, said) => {
  const { user } = open([aChannel()], testSession(), tested)
  await actOn(user, 'On call', 'Send test')
  expect(await screen.findByText(said)).toBeTruthy()
})

test('edits over the version that was seen, and keeps the address unless another one is typed', async () => {
  const { api, user } = open()
  await actOn(user, 'On call', 'Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit channel: On call' }))
  await user.click(dialog.getByRole('switch', { name: 'Enabled' }))
  await user.click(dialog.getByRole('button', { name: 'Save channel' }))
  await waitFor(() => expect(called(api, 'updateChannel')).toHaveLength(1))
  expect(called(api, 'updateChannel')[0]?.body).toEqual({
    version: 3,
    name: 'On call',
    is_enabled: false,
    is_escalation: false,
  })
})

test('deletes one after saying what that ends', async () => {
  const { api, user } = open()
  await actOn(user, 'On call', 'Delete')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete channel' }))
  expect(dialog.getByText('Alerts are no longer sent to On call (hooks.example.com).')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Delete channel' }))
  await waitFor(() => expect(called(api, 'deleteChannel')).toHaveLength(1))
})

test('says that a channel is dead, and takes several mail addresses', async () => {
  const { user } = open([aChannel({ dead_since: '2026-11-21T10:00:00Z', failing_since: '2026-11-21T09:00:00Z' })])
  expect(await screen.findByText('Dead')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add channel' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }))
  await user.selectOptions(dialog.getByLabelText('Kind'), 'mail')
  await user.type(dialog.getByLabelText(/^Mail addresses/), 'ada@example.com, nobody')
  await user.click(dialog.getByRole('button', { name: 'Add channel' }))
  expect(dialog.getByText('nobody is not a mail address')).toBeTruthy()
})

test('says who may see channels, and that there are none', async () => {
  open([], testSession(['sites.read']))
  expect(await screen.findByText('You may not see channels')).toBeTruthy()
})

test('a refusal stands at its field', async () => {
  const { user } = open([])
  mockApi(channels, {
    listChannels: () => ({ channels: [] }),
    listDeliveries: () => ({ deliveries: [], has_more: false, total: 0 }),
    listRoutes: () => ({ routes: [] }),
    createChannel: () => problem(400, { detail: 'name is the name of another channel', parameter: 'name' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Add channel' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }))
  await user.type(dialog.getByLabelText(/^Name/), 'On call')
  await user.type(dialog.getByLabelText(/^Address/), 'https://hooks.example.com/x')
  await user.click(dialog.getByRole('button', { name: 'Add channel' }))
  expect(await dialog.findByText(/is the name of another channel/)).toBeTruthy()
  expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'On call')
})
