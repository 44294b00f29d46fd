import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import { anApiKey } from '../../../test/system-fixtures.ts'
import { ApiKeysPage } from './ApiKeysPage.tsx'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await Promise.all([import('./ApiKeyDialogs.tsx'), import('./ApiKeyDetails.tsx'), import('../../ui/ActionMenu.tsx')])
})

const route = '/admin/api-keys'
const key = anApiKey()
const unused = anApiKey({
  id: 'key_2',
  name: 'Old script',
  last_used: null,
  state: 'unused',
  permissions: ['sites.read'],
})
const revoked = anApiKey({
  id: 'key_3',
  name: 'Gone',
  is_active: false,
  state: 'revoked',
  expires_at: '2026-10-01T00:00:00Z',
})

function open(search = '', keys: ApiKey[] = [key, unused, revoked], permissions = allPermissions) {
  const api = mockApi(apiKeys, { listApiKeys: () => ({ keys }) })
  return { api, ...renderPage(<ApiKeysPage />, { route: route + search, session: testSession(permissions) }) }
}
const rowOf = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))

async function choose(user: ReturnType<typeof open>['user'], name: string, action: string) {
  await user.click(within(await rowOf(name)).getByRole('button', { name: /Actions/ }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}

test('lists the specified columns', async () => {
  open()
  const row = await rowOf('Accounting export')
  expect(within(row).getByText('ack_a1b2c3')).toBeTruthy()
  expect(row.textContent).toContain('View customers, View sites +1 more')
  expect(within(row).getByText('Active')).toBeTruthy()
  expect(within(await rowOf('Old script')).getAllByText('Never')).toHaveLength(2)
  expect(within(await rowOf('Old script')).getByText('Unused')).toBeTruthy()
  expect(within(await rowOf('Gone')).getByText('Inactive')).toBeTruthy()
})

test('narrows by name and status, and says that nothing matches', async () => {
  const { user } = open('?status=inactive')
  expect(await screen.findByRole('link', { name: 'Gone' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Old script' })).toBeNull()
  await user.type(screen.getByRole('searchbox'), 'nothing like it{Enter}')
  expect(await screen.findByText('No keys match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('link', { name: 'Old script' })).toBeTruthy()
})

test('generates a key, shows it once, and does not lose it to Escape', async () => {
  const { user, api } = open()
  mockApi(apiKeys, { createApiKey: () => ({ key: 'ack_secret_shown_once', api_key: anApiKey({ name: 'Reports' }) }) })
  await user.click(await screen.findByRole('button', { name: 'Generate API Key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Generate API Key' })
  await user.click(within(dialog).getByRole('button', { name: 'Generate key' }))
  expect(
    within(dialog)
      .getAllByRole('alert')
      .map((alert) => alert.textContent),
  ).toEqual(['Enter a name', 'Choose at least one permission'])
  await user.type(within(dialog).getByLabelText('Name'), ' Reports ')
  await user.click(within(dialog).getByRole('checkbox', { name: /billing.read/ }))
  await user.click(within(dialog).getByRole('checkbox', { name: /customers.read/ }))
  await user.type(within(dialog).getByLabelText('Expiration date'), '2099-01-31')
  await user.click(within(dialog).getByRole('button', { name: 'Generate key' }))
  const answer = await screen.findByRole('dialog', { name: 'API key Reports' })
  expect(within(answer).getByText('ack_secret_shown_once')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByText('ack_secret_shown_once')).toBeTruthy()
  await user.click(within(answer).getByRole('button', { name: 'I have stored the key' }))
  await waitFor(() => expect(screen.queryByText('ack_secret_shown_once')).toBeNull())
  expect(api.calls().find(({ name }) => name === 'createApiKey')?.body).toEqual({
    name: 'Reports',
    permissions: ['customers.read', 'billing.read'],
    expires_at: new Date('2099-01-31T23:59:59').toISOString(),
    rate_limit_per_minute: 600,
  })
})

test('refuses a day that is over and a limit that is none, before asking', async () => {
  const { user, api } = open()
  await user.click(await screen.findByRole('button', { name: 'Generate API Key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Generate API Key' })
  await user.type(within(dialog).getByLabelText('Name'), 'Reports')
  await user.click(within(dialog).getByRole('checkbox', { name: /sites.read/ }))
  await user.type(within(dialog).getByLabelText('Expiration date'), '2020-01-31')
  await user.clear(within(dialog).getByLabelText('Calls per minute'))
  await user.type(within(dialog).getByLabelText('Calls per minute'), '10001')
  await user.click(within(dialog).getByRole('button', { name: 'Generate key' }))
  expect(within(dialog).getByText('Choose today or a later day')).toBeTruthy()
  expect(within(dialog).getByText('Enter a whole number from 1 to 10,000')).toBeTruthy()
  expect(api.calls().some(({ name }) => name === 'createApiKey')).toBe(false)
})

test('does not offer what the actor does not hold, and says so', async () => {
  const { user } = open(
    '',
    [],
    allPermissions.filter((permission) => permission !== 'billing.read'),
  )
  await user.click(await screen.findByRole('button', { name: 'Generate API Key' }))
  const choice = await screen.findByRole('checkbox', { name: /billing.read/ })
  expect(choice).toHaveProperty('disabled', true)
  expect(screen.getByText('You do not have this permission')).toBeTruthy()
})

test('shows a refusal of the server at its field', async () => {
  const { user } = open()
  mockApi(apiKeys, {
    createApiKey: () =>
      problem(400, { code: 'invalid_request', parameter: 'name', detail: 'There is a key of that name' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Generate API Key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Generate API Key' })
  await user.type(within(dialog).getByLabelText('Name'), 'Reports')
  await user.click(within(dialog).getByRole('checkbox', { name: /sites.read/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Generate key' }))
  expect(await within(dialog).findByText('There is a key of that name')).toBeTruthy()
  expect(within(dialog).getByLabelText('Name').getAttribute('aria-invalid')).toBe('true')
})

test('rotates a key with the overlap that was chosen', async () => {
  const { user, api } = open()
  const previous = { key_prefix: 'ack_a1b2c3', expires_at: '2026-11-28T10:00:00Z' }
  mockApi(apiKeys, { rollApiKey: () => ({ key: 'ack_rolled', api_key: { ...key, previous } }) })
  await choose(user, 'Accounting export', 'Rotate')
  const dialog = await screen.findByRole('alertdialog', { name: 'Rotate Accounting export' })
  await user.click(within(dialog).getByRole('radio', { name: '7 days' }))
  await user.click(within(dialog).getByRole('button', { name: 'Rotate key' }))
  expect(await screen.findByText('ack_rolled')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'rollApiKey')?.body).toEqual({ overlap_hours: 168 })
})

test('renames and limits a key', async () => {
  const { user, api } = open()
  mockApi(apiKeys, { updateApiKey: () => ({ api_key: anApiKey({ name: 'Ledger' }) }) })
  await choose(user, 'Accounting export', 'Rename or limit')
  const dialog = await screen.findByRole('dialog', { name: 'Rename or limit key' })
  await user.clear(within(dialog).getByLabelText('Name'))
  await user.type(within(dialog).getByLabelText('Name'), 'Ledger')
  await user.click(within(dialog).getByRole('button', { name: 'Save key' }))
  expect(await screen.findByText('Saved Ledger')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'updateApiKey')?.body).toEqual({ name: 'Ledger' })
})

test('revokes a key after saying what stops', async () => {
  const { user, api } = open()
  mockApi(apiKeys, { revokeApiKey: () => ({ api_key: { ...key, is_active: false, state: 'revoked' as const } }) })
  await choose(user, 'Accounting export', 'Revoke')
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke API key' })
  expect(dialog.textContent).toContain('1,234 calls in total')
  await user.click(within(dialog).getByRole('button', { name: 'Revoke key' }))
  expect(await screen.findByText('Revoked Accounting export')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'revokeApiKey')?.params).toEqual({ id: 'key_1' })
})

test('a revoked key can do nothing more, and says why', async () => {
  const { user } = open()
  await user.click(within(await rowOf('Gone')).getByRole('button', { name: /Actions/ }))
  expect((await screen.findByRole('menuitem', { name: /Rotate/ })).textContent).toContain('generate a new key')
  expect(screen.getByRole('menuitem', { name: /^Revoke/ }).getAttribute('aria-disabled')).toBe('true')
})

test('opens the details with a URL of their own, and says what the key can no longer do', async () => {
  const narrowed = anApiKey({ effective_permissions: ['sites.read'] })
  open('?open=key_1', [narrowed])
  const dialog = await screen.findByRole('dialog', { name: /Accounting export/ })
  expect(dialog.textContent).toContain('lost customers.read, billing.read')
  expect(dialog.textContent).toContain('no more than sites.read')
  expect(query()).toEqual({ open: 'key_1' })
})

test('says that there are no keys, that they failed to load, and that they may not be seen', async () => {
  const first = open('', [])
  expect(await screen.findByText('No API keys yet')).toBeTruthy()
  first.unmount()
  mockApi(apiKeys, { listApiKeys: () => problem(503, { code: 'unavailable' }) })
  const second = renderPage(<ApiKeysPage />, { route })
  expect(await screen.findByText('Failed to load the API keys.')).toBeTruthy()
  second.unmount()
  renderPage(<ApiKeysPage />, { route, session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
})
