import * as auth from '@agency/contract/descriptors/auth'
import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { SessionState } from '@agency/contract/types'
import { beforeEach, expect, test, vi } from 'vitest'
import { testSession } from '../../test/render.tsx'
import { remove, save } from '../lib/storage.ts'
import { storeSession } from '../lib/stored-session.ts'
import { startFirstCalls } from './first-calls.ts'
import { loadPage, startQueries } from './page.tsx'
import { routeOf } from './preload.ts'
import { makeQueryClient } from './query-client.ts'

const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  save('adminKey', 'key-1')
  remove('session')
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    return Promise.resolve(Response.json({}))
  })
})

const start = (address: string) => startFirstCalls(new URL(address, 'http://console.test'))
const openWith = (change: Partial<SessionState>) => storeSession('key-1', { ...testSession(), ...change })

test.each([
  ['/admin', 2],
  ['/admin/customers', 1],
  ['/admin/customers?search=north&status=active&size=50', 1],
  ['/admin/subscriptions?status=past_due&sort=-amount', 1],
  ['/admin/subscriptions?tab=plans', 1],
  ['/admin/payments?status=disputed&created_from=2026-01-02&size=100', 1],
] as const)('%s asks ahead for exactly what its page asks for', async (address, calls) => {
  openWith({})
  start(address)
  expect(asked).toHaveLength(calls)
  const url = new URL(address, 'http://console.test')
  const load = routeOf(url.pathname)?.load
  await startQueries(makeQueryClient(), await loadPage(load!), url)
  expect(asked).toHaveLength(calls)
})

test('who is signed in is asked too where this browser does not know it', () => {
  start('/admin/customers')
  expect(asked).toEqual([
    `/api${auth.getSession.path}`,
    expect.stringContaining(`/api${customers.listCustomers.path}?`),
  ])
})

test('nothing is asked that would be refused', () => {
  openWith({ actor: { ...testSession().actor, permissions: ['billing.read'] } })
  start('/admin/customers')
  expect(asked).toEqual([])
  start('/admin/subscriptions')
  expect(asked).toEqual([expect.stringContaining(`/api${billing.listSubscriptions.path}?`)])
})

test('nothing is asked without a key, on other screens, or before the sign-in is whole', () => {
  start('/admin/audit')
  openWith({ stage: 'second_factor' })
  start('/admin')
  remove('adminKey')
  start('/admin')
  expect(asked).toEqual([])
  expect(dashboard.getDashboard.permission).toBe('any')
})
