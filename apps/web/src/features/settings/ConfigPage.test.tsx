import * as auth from '@agency/contract/descriptors/auth'
import * as mirror from '@agency/contract/descriptors/mirror'
import * as settings from '@agency/contract/descriptors/settings'
import type { Setting } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aMail, aSetting } from '../../../test/system-fixtures.ts'
import { ConfigPage } from './ConfigPage.tsx'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await Promise.all([import('./HistoryDrawer.tsx'), import('./MailDialog.tsx')])
})

const route = '/admin/config'
const idle = aSetting()
const company = aSetting({
  key: 'company.name',
  group: 'company',
  label: 'Company name',
  kind: 'text',
  source: 'database',
  value: 'Acme',
  default_value: 'Agency Console',
  min: null,
  max: null,
  unit: null,
  version: 3,
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: 'Grace Hopper',
})
const smtp = aSetting({
  key: 'mail.smtp_url',
  group: 'mail',
  label: 'Mail server',
  kind: 'secret',
  source: 'environment',
  env: 'SMTP_URL',
  value: null,
  is_set: true,
})
const stripeKey = aSetting({
  key: 'stripe.secret_key',
  group: 'stripe',
  label: 'Secret key',
  kind: 'secret',
  source: 'database',
  value: null,
  default_value: null,
  is_set: true,
  version: 1,
  updated_by: 'Grace Hopper',
})
const all = [company, idle, smtp, stripeKey]

beforeEach(() => {
  mockApi(mirror, { getMirror: () => problem(404, { code: 'not_connected' }) })
})

function open(search = '', list: Setting[] = all) {
  const api = mockApi(settings, { listSettings: () => ({ settings: list, public_url_known: true }) })
  return { api, ...renderPage(<ConfigPage />, { route: route + search }) }
}
const changeCalls = (api: { calls: () => { name: string; body: unknown }[] }) =>
  api
    .calls()
    .filter(({ name }) => name === 'changeSettings')
    .map(({ body }) => body)
const bar = () => screen.getByRole('region', { name: 'Unsaved changes' })

test('shows each setting with its source, and locks what the environment sets', async () => {
  open()
  const group = await screen.findByRole('region', { name: 'Mail' })
  expect(within(group).getByText('Fixed by the server (SMTP_URL)')).toBeTruthy()
  expect(within(group).getByRole('button', { name: 'Replace Mail server' })).toHaveProperty('disabled', true)
  const name = screen.getByRole('textbox', { name: 'Company name' })
  expect(name).toHaveProperty('value', 'Acme')
  expect(screen.getByText(/^Saved by Grace Hopper, 11\/20\/2026/)).toBeTruthy()
  expect(screen.getByText(/From 5 to 30 minutes/)).toBeTruthy()
})

test('lists what changes before it is saved, and saves all of it with the versions', async () => {
  const { user, api } = open()
  const saved = { ...idle, value: 20, source: 'database' as const, version: 1 }
  mockApi(settings, { changeSettings: () => ({ settings: [company, saved], public_url_known: true }) })
  await user.clear(await screen.findByRole('textbox', { name: 'Idle time' }))
  await user.type(screen.getByRole('textbox', { name: 'Idle time' }), '20')
  await user.clear(screen.getByRole('textbox', { name: 'Company name' }))
  await user.type(screen.getByRole('textbox', { name: 'Company name' }), 'Acme Ltd')
  expect(within(bar()).getByText('2 changes')).toBeTruthy()
  expect(bar().textContent).toContain('Company name: Acme → Acme Ltd')
  expect(bar().textContent).toContain('Idle time: 30 minutes → 20 minutes')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved 2 settings')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull()
  expect(changeCalls(api)).toEqual([
    {
      changes: { 'company.name': 'Acme Ltd', 'sessions.idle_minutes': 20 },
      versions: { 'company.name': 3, 'sessions.idle_minutes': 0 },
    },
  ])
})

test('does not send what is out of bounds, and discards', async () => {
  const { user, api } = open()
  const field = await screen.findByRole('textbox', { name: 'Idle time' })
  await user.clear(field)
  await user.type(field, '99')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a whole number from 5 to 30')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(changeCalls(api)).toEqual([])
  await user.click(within(bar()).getByRole('button', { name: 'Discard' }))
  expect(field).toHaveProperty('value', '30')
})

test('shows a refusal of the server at its field, and keeps what was typed', async () => {
  const { user } = open()
  mockApi(settings, {
    changeSettings: () =>
      problem(400, { code: 'invalid_request', parameter: 'company.name', detail: 'company.name must be one line' }),
  })
  const field = await screen.findByRole('textbox', { name: 'Company name' })
  await user.type(field, '!')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Company name must be one line')).toBeTruthy()
  expect(field).toHaveProperty('value', 'Acme!')
})

test('on a conflict says who changed what, and lets one choose', async () => {
  let list = all
  const api = mockApi(settings, {
    listSettings: () => ({ settings: list, public_url_known: true }),
    changeSettings: () => {
      list = all.map((each) =>
        each === company ? { ...company, value: 'Theirs', version: 4, updated_by: 'Alan Turing' } : each,
      )
      return problem(409, {
        code: 'conflict',
        parameter: 'company.name',
        detail: 'company.name was changed meanwhile.',
      })
    },
  })
  const { user } = renderPage(<ConfigPage />, { route })
  const field = await screen.findByRole('textbox', { name: 'Company name' })
  await user.type(field, '2')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Alan Turing changed this/)).toBeTruthy()
  expect(screen.getByText(/^Nothing was saved. Someone else changed a marked setting/)).toBeTruthy()
  expect(field).toHaveProperty('value', 'Acme2')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(screen.getByText('Choose which value to keep first')).toBeTruthy()
  expect(changeCalls(api)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(changeCalls(api).at(-1)).toEqual({
      changes: { 'company.name': 'Acme2' },
      versions: { 'company.name': 4 },
    }),
  )
})

test('a secret is replaced or removed, and never shown', async () => {
  const { user, api } = open()
  mockApi(settings, { changeSettings: () => ({ settings: all, public_url_known: true }) })
  await user.click(await screen.findByRole('button', { name: 'Replace Secret key' }))
  const field = screen.getByLabelText('Secret key')
  expect(field).toHaveProperty('value', '')
  expect(field.getAttribute('type')).toBe('password')
  await user.type(field, 'sk_test_new')
  expect(bar().textContent).toContain('Secret key: Set → A new value')
  expect(bar().textContent).not.toContain('sk_test_new')
  await user.click(screen.getByRole('button', { name: 'Keep' }))
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove Secret key' }))
  expect(screen.getByText('Removed once saved')).toBeTruthy()
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(changeCalls(api)).toEqual([
      { changes: { 'stripe.secret_key': null }, versions: { 'stripe.secret_key': 1 } },
    ]),
  )
})

test('a saved secret leaves no field open, and the mode of the console is asked again', async () => {
  const { user, api } = open()
  mockApi(settings, { changeSettings: () => ({ settings: all, public_url_known: true }) })
  mockApi(auth, { getSession: () => ({ ...testSession(), mode: 'test' as const }) })
  await user.click(await screen.findByRole('button', { name: 'Replace Secret key' }))
  await user.type(screen.getByLabelText('Secret key'), 'sk_test_new')
  await user.click(within(bar()).getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Replace Secret key' })).toBeTruthy()
  await waitFor(() => expect(api.calls().some(({ name }) => name === 'getSession')).toBe(true))
})

test.each([
  ['not_configured', 'neutral', 'Not configured'],
  ['connected', 'success', 'Connected as Acme, test mode'],
  ['lacking', 'warning', 'Reachable but lacking Charges: read'],
  ['unreachable', 'error', 'Unreachable: no answer within 5 seconds'],
] as const)('a test of Stripe answers %s, with the value that is not saved', async (state, tone, words) => {
  const { user, api } = open()
  mockApi(settings, {
    testConnection: () => ({
      integration: 'stripe' as const,
      state,
      message: words,
      account: null,
      lacking: [],
      tested_at: '2026-11-21T10:00:00Z',
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Replace Secret key' }))
  await user.type(screen.getByLabelText('Secret key'), 'sk_test_new')
  const group = screen.getByRole('region', { name: 'Stripe' })
  await user.click(within(group).getByRole('button', { name: 'Test unsaved values' }))
  expect((await within(group).findByText(words)).parentElement?.dataset['tone']).toBe(tone)
  expect(api.calls().find(({ name }) => name === 'testConnection')?.body).toEqual({
    integration: 'stripe',
    values: { 'stripe.secret_key': 'sk_test_new' },
  })
  expect(changeCalls(api)).toEqual([])
})

test('a test mail is asked for by Enter, and saves nothing', async () => {
  const { user, api } = open()
  mockApi(settings, {
    testConnection: () => problem(400, { code: 'invalid_request', detail: 'mail.smtp_url must be set' }),
  })
  await user.type(await screen.findByRole('textbox', { name: 'Company name' }), '2')
  await user.type(screen.getByRole('textbox', { name: 'Send a test mail to' }), 'ada@example.com{Enter}')
  expect(await screen.findByText('The test did not run. Mail server must be set')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'testConnection')?.body).toEqual({
    integration: 'smtp',
    values: {},
    send_to: 'ada@example.com',
  })
  expect(changeCalls(api)).toEqual([])
})

test('shows the history of a setting and goes back to an earlier version', async () => {
  const { user, api } = open()
  const version = { is_secret: false, is_set: true, actor_name: 'Grace Hopper', at: '2026-11-20T10:00:00Z' }
  mockApi(settings, {
    getSettingHistory: () => ({
      versions: [
        { ...version, version: 3, value: 'Acme' },
        { ...version, version: 2, value: 'Acme Inc' },
      ],
    }),
    revertSetting: () => ({ settings: [{ ...company, value: 'Acme Inc', version: 4 }], public_url_known: true }),
  })
  await user.click(await screen.findByRole('button', { name: 'History of Company name' }))
  const drawer = await screen.findByRole('dialog', { name: 'History of Company name' })
  expect(await within(drawer).findByText('Current')).toBeTruthy()
  await user.click(within(drawer).getByRole('button', { name: 'Revert to version 2' }))
  expect(await screen.findByText('Reverted Company name to version 2')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'revertSetting')).toMatchObject({
    params: { id: 'company.name' },
    body: { version: 2 },
  })
})

test('lists the outbox, reads a mail once and sends it again', async () => {
  const failed = aMail({ state: 'failed', error: 'Connection refused', attempts: 3 })
  const api = mockApi(settings, {
    listMails: () => ({ mails: [failed], has_more: false, waiting: 1 }),
    getMail: () => ({ mail: failed, text: 'Follow the link' }),
    sendMailAgain: () => ({ mail: { ...failed, state: 'queued' as const } }),
  })
  const { user } = open('?tab=outbox')
  expect(await screen.findByText('1 unsent email')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: failed.subject }))
  const dialog = await screen.findByRole('dialog', { name: /You are invited/ })
  expect(await within(dialog).findByText('Follow the link')).toBeTruthy()
  expect(within(dialog).getByText('Connection refused')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Queued the email to ada@example.com')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'getMail')).toHaveLength(1)
})

test('while a mail is being sent again, the others say that they wait', async () => {
  const mails = [aMail({ state: 'failed' }), aMail({ id: 'mail_2', state: 'failed', subject: 'Your invoice' })]
  const api = mockApi(settings, {
    listMails: () => ({ mails, has_more: false, waiting: 2 }),
    sendMailAgain: () => new Promise<Response>(() => {}),
  })
  const { user } = open('?tab=outbox')
  const itemOf = async (name: RegExp) => {
    await user.click(await screen.findByRole('button', { name }))
    return screen.findByRole('menuitem', { name: /Send again/ })
  }
  await user.click(await itemOf(/^Actions for You are invited/))
  const other = await itemOf(/^Actions for Your invoice/)
  expect(other.textContent).toContain('Another mail is being sent again')
  await user.click(other)
  await expect.poll(() => api.calls().filter(({ name }) => name === 'sendMailAgain')).toHaveLength(1)
})

test('a mail that was sent is not sent again', async () => {
  const sent = aMail({ state: 'sent', sent_at: '2026-11-21T09:01:00Z' })
  mockApi(settings, {
    listMails: () => ({ mails: [sent], has_more: false, waiting: 0 }),
    getMail: () => ({ mail: sent, text: 'Follow the link' }),
  })
  open(`?tab=outbox&open=${sent.id}`)
  const dialog = await screen.findByRole('dialog', { name: /You are invited/ })
  expect(within(dialog).getByRole('button', { name: 'Send again' })).toHaveProperty('disabled', true)
})

test('says that the settings could not be loaded, and that they may not be seen', async () => {
  const api = mockApi(settings, { listSettings: () => problem(503, { code: 'unavailable' }) })
  const { unmount } = renderPage(<ConfigPage />, { route })
  expect(await screen.findByText('Failed to load the settings.')).toBeTruthy()
  unmount()
  const before = api.calls().length
  renderPage(<ConfigPage />, { route, session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toHaveLength(before)
})
