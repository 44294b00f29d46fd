import * as auth from '@agency/contract/descriptors/auth'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { renderPiece, signInAs, testKey } from '../../../test/render.tsx'
import { load } from '../../lib/storage.ts'
import { WelcomeScreen } from './WelcomeScreen.tsx'
import { leaveWelcome } from './welcome-link.ts'

const token = 'a-token-that-is-long-enough'
const link = {
  kind: 'invitation' as const,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  expires_at: '2026-11-28T10:00:00Z',
}

function show(hash = `#${token}`) {
  window.history.replaceState(null, '', `/welcome${hash}`)
  let done = 0
  const result = renderPiece(
    <WelcomeScreen
      onDone={() => {
        done += 1
      }}
    />,
  )
  return { ...result, done: () => done }
}

beforeEach(() => {
  leaveWelcome()
  mockApi(auth, {
    inspectLink: () => link,
    acceptLink: () => ({ session_key: 'session-of-ada', ...personSession() }),
    logout: () => ({ success: true as const }),
  })
})

test('the token leaves the address at once and is stored nowhere', async () => {
  const api = mockApi(auth, {})
  show()
  expect(window.location.href).not.toContain(token)
  expect(await screen.findByText('Ada Lovelace')).toBeDefined()
  expect(api.calls()[0]).toMatchObject({ name: 'inspectLink', body: { token } })
  expect(JSON.stringify({ ...localStorage })).not.toContain(token)
})

test('says whom it is for, takes a password and goes on', async () => {
  const api = mockApi(auth, {})
  const { user, done } = show()
  expect(await screen.findByRole('heading', { name: 'Welcome to Agency Console' })).toBeDefined()
  await user.type(screen.getByLabelText('New password'), 'four unrelated words here{Enter}')
  await waitFor(() => expect(done()).toBe(1))
  expect(api.calls().at(-1)?.body).toEqual({ token, password: 'four unrelated words here' })
  expect(load('adminKey')).toBe('session-of-ada')
})

test('signs out whoever was signed in here before', async () => {
  signInAs()
  const api = mockApi(auth, {})
  const { user } = show()
  expect((await screen.findByRole('status')).textContent).toContain('Admin key is signed in here')
  await user.type(screen.getByLabelText('New password'), 'four unrelated words here{Enter}')
  await waitFor(() => expect(load('adminKey')).toBe('session-of-ada'))
  const out = api.calls().find(({ name }) => name === 'logout')
  expect(out?.headers.get('x-admin-key')).toBe(testKey)
})

test('a link that was used says so', async () => {
  mockApi(auth, { inspectLink: () => problem(404, { code: 'not_found', detail: 'This link was used.' }) })
  const { user, done } = show()
  expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('This link was used.')
  await user.click(screen.getByRole('button', { name: 'Go to the sign-in' }))
  expect(done()).toBe(1)
})

test('an address without a token says that the link is not complete', () => {
  show('')
  expect(screen.getByRole('heading', { name: 'This link does not work' })).toBeDefined()
})

test('a link that could not be checked can be tried again', async () => {
  mockApi(auth, { inspectLink: () => problem(503) })
  const { user } = show()
  expect(await screen.findByRole('heading', { name: 'Could not check the link' })).toBeDefined()
  mockApi(auth, { inspectLink: () => ({ ...link, kind: 'password_reset' as const }) })
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeDefined()
})

test('another link that is pasted into the tab takes its place', async () => {
  show()
  await screen.findByText('Ada Lovelace')
  mockApi(auth, { inspectLink: () => ({ ...link, name: 'Grace Hopper' }) })
  window.history.replaceState(null, '', '/welcome#another-token-that-is-long')
  act(() => window.dispatchEvent(new HashChangeEvent('hashchange')))
  expect(await screen.findByText('Grace Hopper')).toBeDefined()
})
