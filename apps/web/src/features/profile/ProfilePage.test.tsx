import * as auth from '@agency/contract/descriptors/auth'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { renderPage } from '../../../test/render.tsx'
import { load } from '../../lib/storage.ts'
import { ProfilePage } from './ProfilePage.tsx'

const at = '2026-11-21T10:00:00Z'
const here = {
  id: 's1',
  device: 'Chrome on Linux',
  address: '10.0.0.1',
  created_at: at,
  last_activity_at: at,
  is_mine: true,
}
const there = { ...here, id: 's2', device: 'Safari on iPhone', is_mine: false }
const codes = ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh']

beforeEach(() => {
  mockApi(auth, {
    listMySessions: () => ({ sessions: [here, there] }),
    getSession: () => personSession({}, { enabled: true, recovery_codes_left: 10 }),
  })
})

const open = (session = personSession()) => renderPage(<ProfilePage />, { route: '/admin/users?tab=profile', session })
const panel = (name: string) => within(screen.getByRole('region', { name }))

test('says who one is and what one may do', () => {
  open()
  const account = panel('Account')
  expect(account.getByText('Grace Hopper')).toBeTruthy()
  expect(account.getByText('grace@example.com')).toBeTruthy()
  expect(account.getByText('Support')).toBeTruthy()
  const may = panel('Your permissions')
  expect(may.getByText('2 of 14 permissions, by your role.')).toBeTruthy()
  expect(may.getByText('View customers').textContent).toBe('View customers: yes')
  expect(may.getByText('Manage billing').textContent).toBe('Manage billing: no')
})

test('with the admin key there is nothing to change, and the page says so', async () => {
  const api = mockApi(auth, {})
  renderPage(<ProfilePage />, { route: '/admin/users?tab=profile' })
  expect(screen.getByText(/The admin key is shared/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})

test('changes the password; what is refused stands at its field', async () => {
  mockApi(auth, {
    changePassword: () =>
      problem(400, {
        code: 'invalid_request',
        detail: 'This is not your current password',
        parameter: 'current_password',
      }),
  })
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
  await user.type(dialog.getByLabelText('Current password'), 'old')
  await user.type(dialog.getByLabelText('New password'), 'a much better one{Enter}')
  expect((await dialog.findByRole('alert')).textContent).toBe('This is not your current password')
  expect(dialog.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true')
  mockApi(auth, { changePassword: () => ({ success: true as const, ended_sessions: 1 }) })
  await user.click(dialog.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Password changed. One other session ended.')).toBeTruthy()
})

test('turns the second factor on: password, picture, code, recovery codes', async () => {
  mockApi(auth, {
    beginEnrolment: () => ({ secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' }),
    confirmEnrolment: () => ({ recovery_codes: codes, session_key: 'key-after-enrolment' }),
  })
  const { user } = open()
  await user.click(panel('Two-step verification').getByRole('button', { name: 'Turn on' }))
  await user.type(await screen.findByLabelText('Your password'), 'mine{Enter}')
  await user.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
  expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeTruthy()
  expect(load('adminKey')).toBe('key-after-enrolment')
  await user.keyboard('{Escape}')
  expect(screen.getByText('aaaa-bbbb-cccc-dddd')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(await panel('Two-step verification').findByText('10 of 10 recovery codes left.')).toBeTruthy()
})

test('where the role requires two-step verification it cannot be turned off', () => {
  open(personSession({}, { enabled: true, required: true, recovery_codes_left: 2 }))
  const factor = panel('Two-step verification')
  expect(factor.getByText('2 of 10 recovery codes left. Create new ones soon.')).toBeTruthy()
  const off = factor.getByRole<HTMLButtonElement>('button', { name: 'Turn off' })
  expect(off.disabled).toBe(true)
  expect(off.getAttribute('aria-description')).toBe('The role Support requires two-step verification')
})

test('makes new recovery codes with the password and the second factor', async () => {
  const api = mockApi(auth, { renewRecoveryCodes: () => ({ recovery_codes: codes, ended_sessions: 1 }) })
  const { user } = open(personSession({}, { enabled: true, recovery_codes_left: 0 }))
  await user.click(screen.getByRole('button', { name: 'New recovery codes' }))
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Please enter your password')
  expect(screen.getByText('Please enter a code')).toBeTruthy()
  await user.type(screen.getByLabelText('Your password'), 'mine')
  await user.type(screen.getByLabelText('Code from the app or a recovery code'), '123456{Enter}')
  expect(await screen.findByText('eeee-ffff-gggg-hhhh')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'renewRecoveryCodes')?.body).toEqual({
    password: 'mine',
    code: '123456',
  })
})

test('turning the second factor off wants it once more, and says how many sessions ended', async () => {
  const wrong = 'This code is not valid. Wait for the next code and try again.'
  mockApi(auth, {
    removeSecondFactor: () => problem(400, { code: 'invalid_request', detail: wrong, parameter: 'code' }),
  })
  const { user } = open(personSession({}, { enabled: true, recovery_codes_left: 9 }))
  await user.click(panel('Two-step verification').getByRole('button', { name: 'Turn off' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Turn off two-step verification' }))
  await user.type(dialog.getByLabelText('Your password'), 'mine')
  await user.type(dialog.getByLabelText('Code from the app or a recovery code'), '000000{Enter}')
  expect(await dialog.findByText(wrong)).toBeTruthy()
  mockApi(auth, { removeSecondFactor: () => ({ success: true as const, ended_sessions: 2 }) })
  await user.click(dialog.getByRole('button', { name: 'Turn off' }))
  expect(await screen.findByText('Two-step verification is off. 2 other sessions ended.')).toBeTruthy()
})

test('lists where one is signed in and ends another session', async () => {
  const api = mockApi(auth, { endMySessions: () => ({ ended: 1 }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'End session on Safari on iPhone' }))
  await user.type(await screen.findByLabelText('Your password'), 'mine{Enter}')
  expect(await screen.findByText('One other session ended.')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'endMySessions')?.body).toEqual({ password: 'mine', id: 's2' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
