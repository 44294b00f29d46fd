import * as auth from '@agency/contract/descriptors/auth'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { renderPiece } from '../../../test/render.tsx'
import { load } from '../../lib/storage.ts'
import { LoginScreen } from './LoginScreen.tsx'

const emailField = () => screen.getByLabelText<HTMLInputElement>('Email')
const passwordField = () => screen.getByLabelText<HTMLInputElement>('Password')

async function show() {
  const { user } = renderPiece(<LoginScreen reason={undefined} />)
  await user.click(screen.getByRole('link', { name: 'Sign in with email' }))
  return user
}

beforeEach(() => {
  mockApi(auth, { loginWithEmail: () => ({ session_key: 'session-key-1', ...personSession() }) })
})

test('a small link swaps the one field for email and password, and back', async () => {
  const user = await show()
  expect(document.activeElement).toBe(emailField())
  expect(passwordField().type).toBe('password')
  expect(screen.queryByLabelText('Admin Key')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Use the admin key' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Admin Key'))
  expect(screen.queryByLabelText('Email')).toBeNull()
})

test('signs in with the email trimmed and the password as it is', async () => {
  const api = mockApi(auth, {})
  const user = await show()
  await user.type(emailField(), '  grace@example.com ')
  await user.type(passwordField(), ' secret words {Enter}')
  await expect.poll(() => load('adminKey')).toBe('session-key-1')
  expect(api.calls()[0]?.body).toEqual({ email: 'grace@example.com', password: ' secret words ' })
})

test('says what is missing without asking', async () => {
  const api = mockApi(auth, {})
  const user = await show()
  const button = screen.getByRole('button', { name: 'Sign In' })
  await user.click(button)
  expect(screen.getByRole('alert').textContent).toBe('Please enter your email address')
  expect(document.activeElement).toBe(emailField())
  await user.type(emailField(), 'grace@example.com')
  await user.click(button)
  expect(screen.getByRole('alert').textContent).toBe('Please enter your password')
  expect(document.activeElement).toBe(passwordField())
  expect(api.calls()).toEqual([])
})

test.each([
  [401, { detail: 'Invalid email or password. Please try again.' }, /^Invalid email or password. Please try again.$/],
  [401, { detail: 'This temporary password has expired. Ask an administrator for a new one.' }, /has expired/],
  [400, { detail: 'email: too long' }, /^Invalid email or password. Please try again.$/],
  [429, { retryAfter: 600 }, /Too many attempts.*Try again in 10 min, at/],
  [500, {}, /Authentication failed. Please try again./],
] as const)('status %i with %j reads %s', async (status, init, text) => {
  mockApi(auth, { loginWithEmail: () => problem(status, init) })
  const user = await show()
  await user.type(emailField(), 'grace@example.com')
  await user.type(passwordField(), 'wrong{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(text)
  expect(document.activeElement).toBe(passwordField())
  expect(load('adminKey')).toBeUndefined()
})
