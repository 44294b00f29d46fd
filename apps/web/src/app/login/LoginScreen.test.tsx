import * as auth from '@agency/contract/descriptors/auth'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPiece, testSession } from '../../../test/render.tsx'
import { startRevocations } from '../../lib/revocation.ts'
import { load, save } from '../../lib/storage.ts'
import { LoginScreen } from './LoginScreen.tsx'

const show = (reason?: 'idle' | 'ended' | 'signed_out' | 'invalid') => renderPiece(<LoginScreen reason={reason} />)
const field = () => screen.getByLabelText<HTMLInputElement>('Admin Key')
const signInButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Sign In' })

beforeEach(() => {
  mockApi(auth, { login: () => ({ session_key: 'session-key', ...testSession() }) })
})

test('shows the heading, the line, one password field and the button', () => {
  show()
  expect(screen.getByRole('heading', { name: 'Admin Login' })).toBeDefined()
  expect(screen.getByText('Enter the admin key to access the dashboard.')).toBeDefined()
  expect(field().type).toBe('password')
  expect(document.activeElement).toBe(field())
  expect(signInButton().disabled).toBe(false)
})

test('the key can be looked at, and the screen says where it is found', async () => {
  const { user } = show()
  await user.type(field(), 'my-key')
  await user.click(screen.getByRole('button', { name: 'Show key' }))
  expect([field().type, field().value]).toEqual(['text', 'my-key'])
  await user.click(screen.getByRole('button', { name: 'Hide key' }))
  expect(field().type).toBe('password')
  expect(screen.getByText(/Shown when the console first started/)).toBeDefined()
})

test.each(['', '   '])('refuses the key %j without asking', async (key) => {
  const api = mockApi(auth, {})
  const { user } = show()
  if (key) await user.type(field(), key)
  await user.click(signInButton())
  expect(screen.getByRole('alert').textContent).toBe('Please enter an admin key')
  expect(api.calls()).toEqual([])
})

test('sends the key trimmed, with the fields disabled and a spinner meanwhile', async () => {
  let answer = () => {}
  const api = mockApi(auth, {
    login: () =>
      new Promise((resolve) => {
        answer = () => resolve({ session_key: 'session-key', ...testSession() })
      }),
  })
  const { user } = show()
  await user.type(field(), '  my-key  {Enter}')
  await expect.poll(() => api.calls()[0]?.body).toEqual({ key: 'my-key' })
  expect(field().disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /Sign In/ }).disabled).toBe(true)
  expect(screen.getByRole('progressbar', { name: 'Signing in' })).toBeDefined()
  answer()
  await expect.poll(() => load('adminKey')).toBe('session-key')
})

test.each([
  [401, 'Invalid admin key. Please try again.'],
  [500, 'Authentication failed. Please try again.'],
  [503, 'Authentication failed. Please try again.'],
])('status %i reads %s', async (status, text) => {
  mockApi(auth, { login: () => problem(status) })
  const { user } = show()
  await user.type(field(), 'key{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain(text)
  expect(field().disabled).toBe(false)
  expect(document.activeElement).toBe(field())
  expect(load('adminKey')).toBeUndefined()
})

test('no answer at all reads as a failed authentication, and says why', async () => {
  mockApi(auth, { login: () => Promise.reject(new TypeError('Failed to fetch')) })
  const { user } = show()
  await user.type(field(), 'key{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Authentication failed. Please try again.')
  expect(alert.textContent).toContain('could not be reached')
})

test('a locked address is told when to try again', async () => {
  mockApi(auth, { login: () => problem(429, { code: 'too_many_requests', retryAfter: 600 }) })
  const { user } = show()
  await user.type(field(), 'key{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/Try again in 10 min, at \d{1,2}:\d\d [AP]M/)
})

test.each([
  ['idle', /after a while without activity/],
  ['ended', /session has ended/],
] as const)('says why after %s', (reason, text) => {
  show(reason)
  expect(screen.getByRole('status').textContent).toMatch(text)
})

test('says nothing after a logout of one’s own', () => {
  show('signed_out')
  expect(screen.queryByRole('status')).toBeNull()
})

test('says while the server has not heard of a logout, and no longer', async () => {
  mockApi(auth, { logout: () => Promise.reject(new TypeError('Failed to fetch')) })
  save('keysToRevoke', [{ key: 'left-key', at: Date.now() }])
  show('signed_out')
  const stop = startRevocations([3_600_000])
  expect((await screen.findByRole('status')).textContent).toContain('your session there is still open')
  mockApi(auth, { logout: () => ({ success: true as const }) })
  window.dispatchEvent(new Event('online'))
  await expect.poll(() => screen.queryByRole('status')).toBeNull()
  stop()
})
