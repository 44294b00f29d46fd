import * as adminUsers from '@agency/contract/descriptors/admin-users'
import * as audit from '@agency/contract/descriptors/audit'
import * as auth from '@agency/contract/descriptors/auth'
import * as customers from '@agency/contract/descriptors/customers'
import * as exports_ from '@agency/contract/descriptors/exports'
import * as mirror from '@agency/contract/descriptors/mirror'
import * as notifications from '@agency/contract/descriptors/notifications'
import * as purchases from '@agency/contract/descriptors/purchases'
import * as security from '@agency/contract/descriptors/security'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockExports } from '../../../test/exports.ts'
import { customerDetails } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { aRole } from '../../../test/people.ts'
import { renderPage } from '../../../test/render.tsx'
import { load } from '../../lib/storage.ts'
import { Palette } from './Palette.tsx'

/** Opens the palette, types the name of an action and enters it; two letters ask nothing of the server. */
async function act(typed: string) {
  const { user, unmount } = renderPage(<Palette />, { route: '/admin/alerts' })
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  await user.keyboard(`${typed}{Enter}`)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull())
  return { user, unmount }
}

test('adds an admin user without leaving the screen, and gives the focus back', async () => {
  mockApi(adminUsers, { listRoles: () => ({ roles: [aRole()] }) })
  const { user } = await act('add admin')
  expect(await screen.findByRole('dialog', { name: 'Add Admin User' })).toBeDefined()
  expect(window.location.pathname).toBe('/admin/alerts')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('adds a customer without leaving the screen, and then shows it', async () => {
  mockApi(customers, { createCustomer: () => ({ customer: customerDetails() }) })
  const { user } = await act('add cust')
  expect(await screen.findByRole('dialog', { name: 'Add Customer' })).toBeDefined()
  expect(window.location.pathname).toBe('/admin/alerts')
  await user.type(screen.getByLabelText('Name'), 'Ada Lovelace')
  await user.click(screen.getByRole('button', { name: 'Add Customer' }))
  await waitFor(() => expect(window.location.pathname).toBe('/admin/customers'))
  expect(new URLSearchParams(window.location.search).get('open')).toBe(customerDetails().id)
})

test('adds a role', async () => {
  mockApi(adminUsers, { listRoles: () => ({ roles: [aRole()] }) })
  await act('add role')
  expect(await screen.findByRole('dialog', { name: 'Add Role' })).toBeDefined()
})

test.each([
  ['mark all p', 'All purchases marked read', 'markPurchasesRead'],
  ['mark all n', 'All notifications marked read', 'markNotificationsRead'],
  ['compare', 'Comparing with Stripe', 'startReconcile'],
])('%s… does it at once and says so', async (typed, done, name) => {
  const fine = () => new Response('{}', { headers: { 'content-type': 'application/json' } })
  mockApi(purchases, { markPurchasesRead: fine })
  mockApi(notifications, { markNotificationsRead: fine })
  const mocked = mockApi(mirror, { startReconcile: fine })
  await act(typed)
  expect(await screen.findByText(done)).toBeDefined()
  expect(mocked.calls().map((call) => call.name)).toContain(name)
})

test('what is refused is told', async () => {
  mockApi(mirror, { startReconcile: () => problem(503, { detail: 'Stripe is not connected' }) })
  await act('compare')
  expect(await screen.findByText('Nothing was changed.')).toBeDefined()
  expect(screen.getByText('Stripe is not connected')).toBeDefined()
})

test('generates an API key', async () => {
  await act('generate')
  expect(await screen.findByRole('dialog', { name: 'Generate API Key' })).toBeDefined()
})

test('starts a check of the audit log and shows where it can be followed', async () => {
  const mocked = mockApi(audit, {
    verifyAudit: () => problem(409, { code: 'conflict', detail: 'A check runs already.' }),
  })
  await act('verify')
  await waitFor(() => expect(window.location.pathname).toBe('/admin/audit'))
  await waitFor(() => expect(mocked.calls().map(({ name }) => name)).toEqual(['verifyAudit']))
  expect(await screen.findByText('The check did not start.')).toBeDefined()
  expect(screen.getByText('A check runs already.')).toBeDefined()
})

test('runs the security checks and shows their screen', async () => {
  const mocked = mockApi(security, { runSecurityChecks: () => problem(503, { code: 'unavailable' }) })
  await act('run sec')
  await waitFor(() => expect(window.location.pathname).toBe('/admin/security'))
  await waitFor(() => expect(mocked.calls().map(({ name }) => name)).toEqual(['runSecurityChecks']))
  expect(await screen.findByText('The checks did not run. The last results are kept.')).toBeDefined()
})

test('exports all customers as a file', async () => {
  const { ordered, followed } = mockExports()
  await act('export cust')
  expect(await screen.findByText('Exported 2 customers')).toBeDefined()
  expect(ordered()).toEqual([{ kind: 'customers', format: 'csv', parameters: {} }])
  expect(followed).toHaveLength(1)
})

test('an export that fails says so', async () => {
  mockApi(exports_, { createExport: () => problem(500, { detail: 'Broken off' }) })
  await act('export cust')
  expect(await screen.findByText('The export failed. No file was saved.')).toBeDefined()
})

test('an export ends with the console', async () => {
  const mocked = mockApi(exports_, { createExport: () => new Promise<Response>(() => {}) })
  const { unmount } = await act('export cust')
  await waitFor(() => expect(mocked.calls()).toHaveLength(1))
  unmount()
  expect(mocked.calls()[0]?.signal?.aborted).toBe(true)
})

test('signs out', async () => {
  mockApi(auth, { logout: () => ({ success: true as const }) })
  await act('sign out')
  await waitFor(() => expect(load('adminKey')).toBeUndefined())
})
