import * as auth from '@agency/contract/descriptors/auth'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { personSession } from '../../test/people.ts'
import { testKey, testSession } from '../../test/render.tsx'
import { call } from './api.ts'
import {
  checkSession,
  chooseFirstPassword,
  giveSecondFactor,
  retryCheck,
  setTheme,
  signIn,
  signInWithEmail,
  signOut,
  startSession,
  useSession,
} from './session.ts'
import { load, save } from './storage.ts'

let stop = () => {}

function Phase() {
  const session = useSession()
  const reason = session.phase === 'signed-out' ? (session.reason ?? 'no reason') : ''
  return <p>{[session.phase, reason].filter(Boolean).join(': ')}</p>
}

function start() {
  stop = startSession()
  render(<Phase />)
}

const storageEvent = (key: string) => act(() => window.dispatchEvent(new StorageEvent('storage', { key })))
const cached = () => save('session', { key: testKey.slice(-8), state: testSession() })

beforeEach(() => {
  mockApi(auth, { logout: () => ({ success: true as const }) })
})

afterEach(() => {
  stop()
  cleanup()
  localStorage.clear()
})

test('without a stored key nobody is signed in and nothing is asked', () => {
  const api = mockApi(auth, {})
  start()
  expect(screen.getByText('signed-out: no reason')).toBeDefined()
  expect(api.calls()).toEqual([])
})

test('a stored key is checked', async () => {
  save('adminKey', testKey)
  const api = mockApi(auth, { getSession: () => testSession() })
  start()
  expect(screen.getByText('checking')).toBeDefined()
  expect(await screen.findByText('signed-in')).toBeDefined()
  expect(api.calls()[0]?.headers.get('x-admin-key')).toBe(testKey)
})

test('a key that is not valid is removed', async () => {
  save('adminKey', testKey)
  mockApi(auth, { getSession: () => problem(401, { code: 'unauthenticated' }) })
  start()
  expect(await screen.findByText('signed-out: invalid')).toBeDefined()
  expect(load('adminKey')).toBeUndefined()
})

test('a key that could not be checked stays, and the check can be tried again', async () => {
  save('adminKey', testKey)
  mockApi(auth, { getSession: () => Promise.reject(new TypeError('Failed to fetch')) })
  start()
  expect(await screen.findByText('unreachable')).toBeDefined()
  expect(load('adminKey')).toBe(testKey)
  mockApi(auth, { getSession: () => testSession() })
  await act(() => retryCheck())
  expect(screen.getByText('signed-in')).toBeDefined()
})

test('a key that could not be checked is checked again when the server said it could answer', async () => {
  save('adminKey', testKey)
  let asked = 0
  mockApi(auth, {
    getSession: () => (++asked < 3 ? problem(503, { code: 'unavailable', retryAfter: 0 }) : testSession()),
  })
  start()
  expect(await screen.findByText('signed-in')).toBeDefined()
  expect(asked).toBe(3)
})

test('a session known from last time opens at once, and the next refused call ends it', async () => {
  save('adminKey', testKey)
  cached()
  mockApi(auth, { getSession: () => problem(401, { code: 'unauthenticated' }) })
  start()
  expect(screen.getByText('signed-in')).toBeDefined()
  await act(() => checkSession())
  expect(screen.getByText('signed-out: ended')).toBeDefined()
  expect(load('session')).toBeUndefined()
})

test('a failure on the way does not end a known session', async () => {
  save('adminKey', testKey)
  cached()
  mockApi(auth, { getSession: () => problem(503) })
  start()
  await act(() => checkSession())
  expect(screen.getByText('signed-in')).toBeDefined()
})

test('signing in stores the session key, never the admin key', async () => {
  mockApi(auth, { login: () => ({ session_key: testKey, ...testSession() }) })
  start()
  await act(() => signIn('the-admin-key-itself'))
  expect(screen.getByText('signed-in')).toBeDefined()
  expect(load('adminKey')).toBe(testKey)
  expect(JSON.stringify({ ...localStorage })).not.toContain('the-admin-key-itself')
})

test('logging out revokes the key and goes to /admin', async () => {
  save('adminKey', testKey)
  cached()
  window.history.replaceState(null, '', '/admin/payments?open=pi_1')
  const api = mockApi(auth, { logout: () => ({ success: true as const }) })
  start()
  act(() => signOut('signed_out'))
  expect(screen.getByText('signed-out: signed_out')).toBeDefined()
  expect(window.location.pathname + window.location.search).toBe('/admin')
  expect(api.calls()[0]).toMatchObject({ name: 'logout' })
  expect(api.calls()[0]?.headers.get('x-admin-key')).toBe(testKey)
})

test('an idle logout keeps the address, so that signing in returns to it', () => {
  save('adminKey', testKey)
  cached()
  window.history.replaceState(null, '', '/admin/payments?open=pi_1')
  start()
  act(() => signOut('idle'))
  expect(window.location.pathname).toBe('/admin/payments')
  expect(screen.getByText('signed-out: idle')).toBeDefined()
})

test('leaves when another tab leaves, with its reason, and enters when another tab signs in', () => {
  save('adminKey', testKey)
  cached()
  start()
  save('leaveReason', 'idle')
  localStorage.removeItem('adminKey')
  storageEvent('adminKey')
  expect(screen.getByText('signed-out: idle')).toBeDefined()
  cached()
  save('adminKey', testKey)
  storageEvent('adminKey')
  expect(screen.getByText('signed-in')).toBeDefined()
})

test('the refusal of an older key leaves a newer one alone', async () => {
  save('adminKey', testKey)
  cached()
  mockApi(auth, { heartbeat: () => problem(401, { code: 'unauthenticated' }) })
  start()
  await act(() => call(auth.heartbeat, {}, { key: 'an-older-key' }).catch(() => {}))
  expect(screen.getByText('signed-in')).toBeDefined()
  expect(load('adminKey')).toBe(testKey)
})

test('a sign-in that wants more is no session yet; each step brings another key', async () => {
  mockApi(auth, {
    loginWithEmail: () => ({ session_key: 'first-key', ...personSession({ stage: 'second_factor' }) }),
    giveSecondFactor: () => ({ session_key: 'second-key', ...personSession({ stage: 'new_password' }) }),
    chooseFirstPassword: () => ({ session_key: 'third-key', ...personSession() }),
  })
  start()
  await act(() => signInWithEmail('grace@example.com', 'a temporary one'))
  expect(screen.getByText('incomplete')).toBeDefined()
  expect(load('adminKey')).toBe('first-key')
  await act(() => giveSecondFactor('123456'))
  expect(screen.getByText('incomplete')).toBeDefined()
  expect(load('adminKey')).toBe('second-key')
  await act(() => chooseFirstPassword('four unrelated words'))
  expect(screen.getByText('signed-in')).toBeDefined()
  expect(load('adminKey')).toBe('third-key')
  expect(JSON.stringify({ ...localStorage })).not.toContain('unrelated')
})

test('a sign-in under way is taken up again, and asked about', async () => {
  save('adminKey', testKey)
  save('session', { key: testKey.slice(-8), state: personSession({ stage: 'enrolment' }) })
  mockApi(auth, { getSession: () => personSession() })
  start()
  expect(screen.getByText('incomplete')).toBeDefined()
  expect(await screen.findByText('signed-in')).toBeDefined()
})

test('a live session whose role came to require more goes on with that', async () => {
  save('adminKey', testKey)
  cached()
  mockApi(auth, {
    heartbeat: () => problem(403, { code: 'sign_in_incomplete', detail: 'Set up two-step verification first' }),
    getSession: () => personSession({ stage: 'enrolment' }, { required: true }),
  })
  start()
  expect(screen.getByText('signed-in')).toBeDefined()
  await act(() => call(auth.heartbeat, {}).catch(() => {}))
  expect(await screen.findByText('incomplete')).toBeDefined()
})

test('a refused call makes the screen follow what the role permits now', async () => {
  save('adminKey', testKey)
  cached()
  const api = mockApi(auth, {
    heartbeat: () => problem(403, { code: 'forbidden', permission: 'customers.read' }),
    getSession: () => testSession(['billing.read']),
  })
  start()
  await act(() => Promise.all([1, 2, 3].map(() => call(auth.heartbeat, {}).catch(() => {}))))
  await expect.poll(() => load('session')?.state.actor.permissions).toEqual(['billing.read'])
  expect(api.calls().filter(({ name }) => name === 'getSession')).toHaveLength(1)
})

test('an answer that was asked for before a theme was chosen does not bring the old one back', async () => {
  save('adminKey', testKey)
  const state = personSession()
  save('session', { key: testKey.slice(-8), state })
  let theme: 'system' | 'dark' = 'system'
  const held: (() => void)[] = []
  mockApi(auth, {
    getSession: () => {
      const answer = { ...state, user: { ...state.user!, theme } }
      return theme === 'dark' ? answer : new Promise((done) => held.push(() => done(answer)))
    },
    setTheme: ({ body }) => {
      theme = body!.theme as 'dark'
      return { theme }
    },
  })
  start()
  const checked = checkSession()
  await expect.poll(() => held).toHaveLength(1)
  await setTheme('dark')
  held[0]?.()
  await checked
  expect(load('session')?.state.user?.theme).toBe('dark')
})
