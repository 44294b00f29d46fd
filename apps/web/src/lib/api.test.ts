import * as auth from '@agency/contract/descriptors/auth'
import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { call, callEarly, onKeyRefused, q } from './api.ts'
import { ApiError } from './problems.ts'
import { load, remove, save } from './storage.ts'

const stats = () => call(billing.getStats, {})
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (!(error instanceof ApiError)) throw new Error(`Expected an ApiError, got ${String(error)}`)
  return error
}

beforeEach(() => {
  save('adminKey', 'key-1')
  onKeyRefused(() => {})
})

test('sends nothing without a stored key', async () => {
  remove('adminKey')
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  const error = await failure(stats())
  expect(error.message).toBe('Admin key not set')
  expect(fetched).not.toHaveBeenCalled()
})

test('sends the key, the path, the query and the body', async () => {
  const api = mockApi(billing, { refundPayment: () => Response.json({ success: true }) })
  await call(billing.refundPayment, { params: { id: 'pi_1/2' }, body: { amount: 100 } }, { idempotencyKey: 'action-1' })
  const [sent] = api.calls()
  expect(sent).toMatchObject({ params: { id: 'pi_1/2' }, body: { amount: 100 } })
  expect(sent?.headers.get('x-admin-key')).toBe('key-1')
  expect(sent?.headers.get('idempotency-key')).toBe('action-1')
})

test('leaves empty parameters out', async () => {
  const api = mockApi(customers, {
    listCustomers: () => ({ customers: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }),
  })
  await call(customers.listCustomers, { query: { search: '', status: undefined, limit: 25 } })
  expect(api.calls()[0]?.query).toEqual({ limit: '25' })
})

test('login goes without a stored key, and its refusal leaves a stored one alone', async () => {
  const refused = vi.fn()
  onKeyRefused(refused)
  const api = mockApi(auth, { login: () => problem(401, { code: 'unauthenticated' }) })
  await failure(call(auth.login, { body: { key: 'x' } }))
  expect(api.calls()[0]?.headers.has('x-admin-key')).toBe(false)
  expect(refused).not.toHaveBeenCalled()
})

test('tells which key was refused', async () => {
  const refused = vi.fn()
  onKeyRefused(refused)
  mockApi(billing, { getStats: () => problem(401, { code: 'unauthenticated' }) })
  await failure(stats())
  expect(refused).toHaveBeenCalledWith('key-1')
  expect(load('adminKey')).toBe('key-1')
})

describe('what a failed answer becomes', () => {
  test('a problem keeps its detail, code and request', async () => {
    mockApi(billing, {
      getStats: () =>
        problem(409, { title: 'Conflict', detail: 'Already refunded', code: 'conflict', parameter: 'amount' }),
    })
    expect(await failure(stats())).toMatchObject({
      message: 'Already refunded',
      status: 409,
      code: 'conflict',
      requestId: 'req_test',
      parameter: 'amount',
    })
  })

  test.each([
    [502, '', 'Bad Gateway'],
    [503, '', 'Service Unavailable'],
    [429, '', 'Too Many Requests'],
    [599, '', 'Status 599'],
    [503, 'Gone fishing', 'Gone fishing'],
  ])('status %i with the text %j reads %s', async (status, statusText, words) => {
    mockApi(billing, { getStats: () => new Response('<html>', { status, statusText }) })
    const error = await failure(stats())
    expect(error).toMatchObject({ statusText: words, message: words, status })
  })

  test('Retry-After is read from the header too', async () => {
    mockApi(billing, { getStats: () => new Response('', { status: 429, headers: { 'retry-after': '600' } }) })
    expect(await failure(stats())).toMatchObject({ code: 'too_many_requests', retryAfter: 600 })
  })

  test('a page instead of JSON is a bad answer', async () => {
    mockApi(billing, { getStats: () => new Response('<!doctype html>', { status: 200 }) })
    expect(await failure(stats())).toMatchObject({ code: 'bad_answer', status: 200 })
  })

  test('no answer is unreachable', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(stats())).toMatchObject({ code: 'unreachable', status: 0 })
  })

  test('a call taken back is no failure of the console', async () => {
    const controller = new AbortController()
    controller.abort()
    vi.stubGlobal('fetch', () => Promise.reject(controller.signal.reason))
    await expect(call(billing.getStats, {}, { signal: controller.signal })).rejects.toHaveProperty('name', 'AbortError')
  })
})

describe('a call made early', () => {
  const list = { query: { limit: 25 } }
  const none = () => ({ customers: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' })
  const startWith = (answer: () => Response | ReturnType<typeof none>) => {
    const api = mockApi(customers, { listCustomers: answer })
    callEarly(customers.listCustomers.path, list, 'key-1')
    return api
  }

  test('answers the first same call, and no second', async () => {
    const api = startWith(none)
    expect(await call(customers.listCustomers, list)).toEqual(none())
    expect(api.calls()).toHaveLength(1)
    expect(api.calls()[0]?.headers.get('x-admin-key')).toBe('key-1')
    await call(customers.listCustomers, list)
    expect(api.calls()).toHaveLength(2)
  })

  test('does not answer another address or another key', async () => {
    const api = startWith(none)
    await call(customers.listCustomers, { query: { limit: 50 } })
    expect(api.calls()).toHaveLength(2)
    save('adminKey', 'key-2')
    await call(customers.listCustomers, list)
    expect(api.calls()).toHaveLength(3)
  })

  test('does not answer who comes too late', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    const api = startWith(none)
    now.mockReturnValue(15_000)
    await call(customers.listCustomers, list)
    expect(api.calls()).toHaveLength(2)
    now.mockRestore()
  })

  test('fails as the call itself would', async () => {
    const refused = vi.fn()
    onKeyRefused(refused)
    startWith(() => problem(401, { code: 'unauthenticated' }))
    expect((await failure(call(customers.listCustomers, list))).status).toBe(401)
    expect(refused).toHaveBeenCalledWith('key-1')
  })
})

test('a query is named by its call and carries its topics', () => {
  const query = q(customers.listCustomers, { query: { status: 'active' } })
  expect(query.queryKey).toEqual(['/stripe/customers', { query: { status: 'active' } }])
  expect(query.meta.topics).toContain('customers')
})
