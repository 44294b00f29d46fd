import * as auth from '@agency/contract/descriptors/auth'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { revoke, startRevocations, useLateRevocation } from './revocation.ts'
import { load, save } from './storage.ts'

const done = { success: true as const }
const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const never = [3_600_000]

let stop = () => {}
let answers: (() => Response | typeof done | Promise<never>)[] = []
let calls: ReturnType<typeof mockApi>['calls']

const keysSent = () => calls().map(({ headers }) => headers.get('x-admin-key'))
const settled = () => expect.poll(() => load('keysToRevoke')).toBeUndefined()
const late = () => renderHook(() => useLateRevocation()).result

beforeEach(() => {
  answers = []
  ;({ calls } = mockApi(auth, { logout: () => (answers.shift() ?? (() => done))() }))
})

afterEach(() => {
  stop()
  localStorage.clear()
})

test('a key is kept until the server has confirmed its end, and no longer', async () => {
  stop = startRevocations(never)
  revoke('key-1')
  expect(load('keysToRevoke')).toMatchObject([{ key: 'key-1' }])
  await settled()
  expect(keysSent()).toEqual(['key-1'])
  expect(JSON.stringify({ ...localStorage })).not.toContain('key-1')
})

test.each([
  ['a lost call', lost],
  ['an overloaded server', () => problem(503)],
  ['a limit of calls', () => problem(429)],
  ['a proxy in between', () => problem(403)],
])('after %s it is said, and sent again until it is through', async (_, failure) => {
  answers = [failure, failure]
  const told = late()
  stop = startRevocations([1])
  revoke('key-1')
  await expect.poll(() => calls().length).toBe(3)
  await settled()
  expect(keysSent()).toEqual(['key-1', 'key-1', 'key-1'])
  await expect.poll(() => told.current).toBe(false)
})

test('a key that the server does not know any more has ended', async () => {
  answers = [() => problem(401, { code: 'unauthenticated' })]
  stop = startRevocations(never)
  revoke('key-1')
  await settled()
})

test('what an earlier page could not tell is told at the start', async () => {
  save('keysToRevoke', [{ key: 'key-1', at: Date.now() }])
  stop = startRevocations(never)
  await settled()
  expect(keysSent()).toEqual(['key-1'])
})

test('is told at once when the connection is back', async () => {
  answers = [lost]
  const told = late()
  stop = startRevocations(never)
  revoke('key-1')
  await expect.poll(() => told.current).toBe(true)
  window.dispatchEvent(new Event('online'))
  await settled()
  await expect.poll(() => told.current).toBe(false)
})

test('one key that fails does not hold up the next', async () => {
  answers = [lost]
  const told = late()
  stop = startRevocations(never)
  revoke('key-1')
  await expect.poll(() => told.current).toBe(true)
  answers = [lost]
  revoke('key-2')
  await expect.poll(keysSent).toEqual(['key-1', 'key-1', 'key-2'])
  await expect.poll(() => load('keysToRevoke')?.map(({ key }) => key)).toEqual(['key-1'])
})

test('another tab goes on with what this one was left with, and forgets it with the others', async () => {
  const told = late()
  stop = startRevocations([1])
  save('keysToRevoke', [{ key: 'key-1', at: Date.now() }])
  window.dispatchEvent(new StorageEvent('storage', { key: 'agency.keysToRevoke' }))
  await settled()
  expect(keysSent()).toEqual(['key-1'])
  expect(told.current).toBe(false)
})

test('a key whose session must long have ended is given up', async () => {
  answers = [lost]
  save('keysToRevoke', [{ key: 'key-1', at: Date.now() - 8 * 24 * 3_600_000 }])
  stop = startRevocations(never)
  await settled()
})
