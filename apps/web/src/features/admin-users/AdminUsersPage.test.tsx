import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { anEntry, aRole, aUser, personSession } from '../../../test/people.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { AdminUsersPage } from './AdminUsersPage.tsx'

const route = '/admin/users'
const summary = { total: 2, active: 1, roles: 4, online: 1 }
const ada = aUser({ online: true })
const bob = aUser({
  id: 'usr_2',
  name: 'Bob',
  email: 'bob@example.com',
  is_active: false,
  locked_reason: 'You can only change people with fewer permissions than yours',
})
const roles = [
  aRole({
    id: 'super_admin',
    name: 'super_admin',
    display_name: 'Super Admin',
    permissions: ['admin.users', 'admin.system'],
  }),
  aRole(),
  aRole({ id: 'r1', name: 'night_shift', display_name: 'Night shift', is_system_role: false, user_count: 0 }),
]
const handover = { user: ada, mail: 'kept' as const, link: null, link_expires_at: null }

beforeEach(() => {
  mockApi(adminUsers, {
    listUsers: () => ({ users: [ada, bob], has_more: false, total: 2, summary }),
    listRoles: () => ({ roles }),
    listPermissions: () => ({
      permissions: [
        {
          id: 'admin.users',
          name: 'Manage admin users',
          category: 'Administration',
          description: '',
          roles: ['Super Admin'],
        },
      ],
    }),
    listUserActivity: () => ({ entries: [anEntry()], has_more: false }),
    previewUserRemoval: () => ({ live_sessions: 2, api_keys: [{ id: 'k1', name: 'Reports' }] }),
    getUser: () => ({
      user: ada,
      effective_permissions: [
        { permission: 'customers.read', granted: true, reason: 'By the role Support' },
        { permission: 'billing.read', granted: false, reason: 'Not in the role Support' },
      ],
      sessions: [],
    }),
  })
})

const open = (search = '') => ({
  ...renderPage(<AdminUsersPage />, { route: route + search }),
  api: mockApi(adminUsers, {}),
})
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))
const sent = (api: ReturnType<typeof mockApi>, name: string) => api.calls().filter((call) => call.name === name)
const menuOf = async (user: ReturnType<typeof open>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  return screen.findByRole('menu', { name: `Actions for ${name}` })
}

test('shows the four cards, the tabs of both levels and the people', async () => {
  open()
  expect(await screen.findByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
  const cards = screen.getAllByRole('article').map((card) => card.textContent)
  expect(cards[0]).toMatch(/^Total Users2/)
  expect(cards[1]).toMatch(/^Active Users1/)
  expect(cards[2]).toMatch(/^Roles4/)
  expect(cards[3]).toMatch(/^Online Now1/)
  const inner = within(screen.getByRole('navigation', { name: 'People and roles' }))
  expect(inner.getAllByRole('link').map((link) => link.textContent?.replace(/\d/, ''))).toEqual([
    'Users',
    'Roles',
    'Permissions',
    'Activity Log',
  ])
  expect(screen.getByRole('link', { name: 'Audit Logs' }).getAttribute('href')).toBe('/admin/audit')
})

test('says what is missing to see it, and asks nothing', async () => {
  const api = mockApi(adminUsers, {})
  renderPage(<AdminUsersPage />, { route, session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission admin.users')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})

test('keeps search and filters in the address and starts again at the first page', async () => {
  const { user, api } = open('?after=usr_9&at=25')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await screen.findByRole('option', { name: 'Night shift' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'night_shift')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'inactive')
  await user.type(screen.getByRole('searchbox'), 'ada{Enter}')
  expect(query()).toEqual({ role: 'night_shift', status: 'inactive', search: 'ada' })
  await waitFor(() =>
    expect(sent(api, 'listUsers').at(-1)?.query).toEqual({
      limit: '25',
      role: 'night_shift',
      status: 'inactive',
      search: 'ada',
      sort: 'name',
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Remove filter Role: Night shift' }))
  expect(query()).toEqual({ status: 'inactive', search: 'ada' })
})

test('the row menu has the specified entries, and says why one may not', async () => {
  const { user } = open()
  const mine = within(await menuOf(user, 'Ada Lovelace'))
  expect(mine.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'View Details',
    'Edit User',
    'Reset Password',
    'Deactivate',
    'Delete User',
  ])
  await user.keyboard('{Escape}')
  const theirs = within(await menuOf(user, 'Bob'))
  const item = theirs.getByRole('menuitem', { name: /Delete User/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(item.textContent).toContain('You can only change people with fewer permissions than yours')
})

test('nobody is offered to deactivate or delete themselves', async () => {
  const me = aUser({ id: 'usr_me', name: 'Grace Hopper' })
  mockApi(adminUsers, { listUsers: () => ({ users: [me], has_more: false, total: 1, summary }) })
  const session = personSession()
  const all = { ...session, actor: { ...session.actor, permissions: testSession().actor.permissions } }
  const { user } = renderPage(<AdminUsersPage />, { route, session: all })
  const menu = within(await menuOf(user, 'Grace Hopper'))
  expect(menu.getByRole('menuitem', { name: /Delete User/ }).textContent).toContain('You cannot delete yourself')
  expect(menu.getByRole('menuitem', { name: /Deactivate/ }).textContent).toContain('You cannot deactivate yourself')
})

test('adds somebody with a temporary password and shows what to hand over', async () => {
  mockApi(adminUsers, { createUser: () => handover })
  const { user, api } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Admin User' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Admin User' }))
  expect(dialog.getByText('The user will be required to change the password on first login')).toBeTruthy()
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Send welcome email' }).checked).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Add Admin User' }))
  expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Please enter a name',
    'Please enter an email address',
    'Please enter a temporary password',
  ])
  expect(sent(api, 'createUser')).toEqual([])
  await user.type(dialog.getByLabelText('Name'), 'Ada Lovelace')
  await user.type(dialog.getByLabelText('Email'), 'ada@example.com')
  await user.click(dialog.getByRole('button', { name: 'Generate' }))
  const password = dialog.getByLabelText<HTMLInputElement>('Temporary Password').value
  expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
  await user.click(dialog.getByRole('button', { name: 'Add Admin User' }))
  const result = within(await screen.findByRole('dialog', { name: 'Admin user added' }))
  expect(sent(api, 'createUser')[0]?.body).toEqual({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    role_id: 'support',
    temporary_password: password,
    send_welcome_email: true,
  })
  expect(result.getByText(password)).toBeTruthy()
  expect(result.getByRole('link', { name: 'outbox' }).getAttribute('href')).toBe('/admin/config?tab=outbox')
})

test('invites somebody by a link, with this origin before it where the console knows none', async () => {
  mockApi(adminUsers, {
    createUser: () => ({ ...handover, mail: 'none', link: '/welcome#abc', link_expires_at: '2026-11-28T10:00:00Z' }),
  })
  const { user, api } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Admin User' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Ada')
  await user.type(dialog.getByLabelText('Email'), 'ada@example.com')
  await user.click(dialog.getByRole('radio', { name: /Invitation link/ }))
  await user.click(dialog.getByRole('button', { name: 'Add Admin User' }))
  const result = within(await screen.findByRole('dialog', { name: 'Admin user added' }))
  expect(result.getByText(`${window.location.origin}/welcome#abc`)).toBeTruthy()
  expect(result.getByText(/^No email was sent/)).toBeTruthy()
  expect(result.getByRole('link', { name: '"Address of this console"' }).getAttribute('href')).toMatch(
    /^\/admin\/config/,
  )
  expect(sent(api, 'createUser')[0]?.body).toMatchObject({ temporary_password: null })
})

test('what the server refuses stands at its field', async () => {
  mockApi(adminUsers, {
    createUser: () => problem(409, { code: 'conflict', detail: 'Somebody has this email already', parameter: 'email' }),
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Admin User' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Ada')
  await user.type(dialog.getByLabelText('Email'), 'ada@example.com')
  await user.type(dialog.getByLabelText('Temporary Password'), 'whatever it is{Enter}')
  expect((await dialog.findByRole('alert')).textContent).toBe('Somebody has this email already')
  expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
})

test('deleting says what ends and wants the email typed', async () => {
  mockApi(adminUsers, { deleteUser: () => ({ success: true as const, ended_sessions: 2, dead_api_keys: 1 }) })
  const { user, api } = open()
  await user.click(within(await menuOf(user, 'Ada Lovelace')).getByRole('menuitem', { name: 'Delete User' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete user' }))
  expect(await dialog.findByText('2 open sessions end at once.')).toBeTruthy()
  expect(dialog.getByText('The API key Reports stops working.')).toBeTruthy()
  const button = dialog.getByRole('button', { name: 'Delete Ada Lovelace' })
  await user.click(button)
  expect(sent(api, 'deleteUser')).toEqual([])
  await user.type(dialog.getByLabelText('Type ada@example.com to confirm'), 'ada@example.com')
  await user.click(button)
  expect(await screen.findByText('Deleted Ada Lovelace')).toBeTruthy()
  expect(sent(api, 'deleteUser')[0]?.params).toEqual({ id: 'usr_1' })
})

test('deactivating says what ends', async () => {
  mockApi(adminUsers, { deactivateUser: () => ({ user: ada, ended_sessions: 2 }) })
  const { user } = open()
  await user.click(within(await menuOf(user, 'Ada Lovelace')).getByRole('menuitem', { name: 'Deactivate' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Deactivate user' }))
  expect(await dialog.findByText('2 open sessions end at once.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Deactivate Ada Lovelace' }))
  expect(await screen.findByText('Deactivated Ada Lovelace')).toBeTruthy()
})

test('the details have an address of their own and say what somebody can do', async () => {
  const { user } = open('?open=usr_1&view=permissions')
  const dialog = within(await screen.findByRole('dialog', { name: /Ada Lovelace/ }))
  expect(await dialog.findByText(/has 1 of 2 permissions/)).toBeTruthy()
  expect(dialog.getByText('By the role Support')).toBeTruthy()
  await user.click(dialog.getByRole('tab', { name: 'Sessions' }))
  expect(query()).toEqual({ open: 'usr_1', view: 'sessions' })
  expect(await dialog.findByText('Not signed in right now.')).toBeTruthy()
  await user.click(dialog.getByRole('tab', { name: 'Activity' }))
  expect(await dialog.findByText('Added Ada Lovelace')).toBeTruthy()
})

test('says that a user does not exist', async () => {
  mockApi(adminUsers, { getUser: () => problem(404, { code: 'not_found' }) })
  open('?open=usr_x')
  expect(await screen.findByRole('dialog', { name: 'User not found' })).toBeTruthy()
})

test('nobody added yet: says what people would bring', async () => {
  mockApi(adminUsers, {
    listUsers: () => ({ users: [], has_more: false, total: 0, summary: { total: 0, active: 0, roles: 4, online: 1 } }),
  })
  open()
  expect(await screen.findByText(/Everyone signs in with the admin key/)).toBeTruthy()
})

test('a failure is told, and can be tried again', async () => {
  mockApi(adminUsers, { listUsers: () => problem(503, { detail: 'The database is away' }) })
  const { user } = open()
  expect(await screen.findByText(/^Failed to load admin users/)).toBeTruthy()
  expect(screen.getAllByText('Unavailable')).toHaveLength(4)
  mockApi(adminUsers, { listUsers: () => ({ users: [ada], has_more: false, total: 1, summary }) })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
})

test('lists permissions by role and the activity', async () => {
  const { user } = open('?tab=permissions')
  const row = (await screen.findByRole('rowheader', { name: /Manage admin users/ })).closest('tr')!
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent?.replace('–', '')),
  ).toEqual(['Yes', 'No', 'No'])
  await user.click(screen.getByRole('link', { name: 'Activity Log' }))
  expect(await screen.findByText('Added Ada Lovelace')).toBeTruthy()
  expect(query()).toEqual({ tab: 'activity' })
})
