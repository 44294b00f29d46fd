import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi } from '../../../test/mock-api.ts'
import { aRole, personSession } from '../../../test/people.ts'
import { renderPage } from '../../../test/render.tsx'
import { AdminUsersPage } from './AdminUsersPage.tsx'

const route = '/admin/users?tab=roles'
const superAdmin = aRole({
  id: 'super_admin',
  name: 'super_admin',
  display_name: 'Super Admin',
  permissions: ['admin.users', 'admin.system', 'billing.write'],
})
const own = aRole({ id: 'r1', name: 'night_shift', display_name: 'Night shift', is_system_role: false, user_count: 0 })
const busy = aRole({ id: 'r2', name: 'day_shift', display_name: 'Day shift', is_system_role: false, user_count: 2 })

beforeEach(() => {
  mockApi(adminUsers, {
    listUsers: () => ({ users: [], has_more: false, total: 0, summary: { total: 2, active: 2, roles: 4, online: 0 } }),
    listRoles: () => ({ roles: [superAdmin, aRole(), own, busy] }),
    updateRole: () => ({ role: own }),
    createRole: () => ({ role: own }),
    deleteRole: () => ({ success: true as const }),
  })
})

const cardOf = async (name: string) =>
  within((await screen.findByRole('heading', { level: 2, name })).closest('article')!)
const sent = (api: ReturnType<typeof mockApi>, name: string) => api.calls().filter((call) => call.name === name)

test('system roles are locked, and say why', async () => {
  renderPage(<AdminUsersPage />, { route })
  for (const name of ['Super Admin', 'Support']) {
    const button = (await cardOf(name)).getByRole<HTMLButtonElement>('button', { name: 'Edit Role' })
    expect(button.disabled).toBe(true)
    expect(button.getAttribute('aria-description')).toContain('System roles are fixed')
  }
  expect((await cardOf('Night shift')).getByRole<HTMLButtonElement>('button', { name: 'Edit Role' }).disabled).toBe(
    false,
  )
})

test('a role that people have cannot be deleted, another can', async () => {
  const { user } = renderPage(<AdminUsersPage />, { route })
  expect((await cardOf('Day shift')).getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
  await user.click((await cardOf('Night shift')).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Delete Night shift' }))
  expect(await screen.findByText('Deleted the role Night shift')).toBeTruthy()
})

test('adds a role with the chosen permissions', async () => {
  const api = mockApi(adminUsers, {})
  const { user } = renderPage(<AdminUsersPage />, { route })
  await user.click(await screen.findByRole('button', { name: 'Add Role' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Role' }))
  await user.click(dialog.getByRole('button', { name: 'Add Role' }))
  expect(dialog.getByRole('alert').textContent).toBe('Please enter a name')
  await user.type(dialog.getByLabelText('Name'), 'Night shift')
  await user.click(
    within(dialog.getByRole('group', { name: 'Customers' })).getByRole('checkbox', { name: /View customers/ }),
  )
  await user.click(dialog.getByRole('checkbox', { name: 'Requires two-step verification' }))
  await user.click(dialog.getByRole('button', { name: 'Add Role' }))
  expect(await screen.findByText('Added the role Night shift')).toBeTruthy()
  expect(sent(api, 'createRole')[0]?.body).toEqual({
    display_name: 'Night shift',
    description: '',
    permissions: ['customers.read'],
    requires_second_factor: true,
  })
})

test('what one does not hold can neither be given nor changed', async () => {
  const session = personSession()
  const limited = { ...session, actor: { ...session.actor, permissions: ['admin.users', 'customers.read'] as const } }
  const { user } = renderPage(<AdminUsersPage />, {
    route,
    session: { ...limited, actor: { ...limited.actor, permissions: [...limited.actor.permissions] } },
  })
  expect((await cardOf('Night shift')).getByRole<HTMLButtonElement>('button', { name: 'Edit Role' }).disabled).toBe(
    true,
  )
  await user.click(screen.getByRole('button', { name: 'Add Role' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Role' }))
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /View customers/ }).disabled).toBe(false)
  const refund = dialog.getByRole<HTMLInputElement>('checkbox', { name: /Manage billing/ })
  expect(refund.disabled).toBe(true)
  expect(refund.closest('label')?.textContent).toContain('You do not have this permission')
})

test('requiring a second factor says whom it concerns first', async () => {
  const api = mockApi(adminUsers, {})
  const { user } = renderPage(<AdminUsersPage />, { route })
  await user.click((await cardOf('Support')).getByRole('checkbox', { name: 'Requires two-step verification' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Require two-step verification' }))
  expect(dialog.getByText(/3 people have the role Support/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Require two-step verification' }))
  expect(await screen.findByText('Support requires two-step verification')).toBeTruthy()
  expect(sent(api, 'updateRole')[0]).toMatchObject({
    params: { id: 'support' },
    body: { requires_second_factor: true },
  })
})
