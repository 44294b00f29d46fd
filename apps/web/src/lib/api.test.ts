import { auth, billing, customers } from '@agency/contract/descriptors'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { call, onKeyRefused, q } from './api.ts'
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
  const api = mockApi(customers, { listCustomers: () => ({ customers: [], has_more: false, total: 0 }) })
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

test('a query is named by its call and carries its topics', () => {
  const query = q(customers.listCustomers, { query: { status: 'active' } })
  expect(query.queryKey).toEqual(['/stripe/customers', { query: { status: 'active' } }])
  expect(query.meta.topics).toContain('customers')
})
