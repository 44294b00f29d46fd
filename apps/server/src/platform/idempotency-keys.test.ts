import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../test/context.ts'
import { createPerson } from '../../test/people.ts'
import { request } from '../../test/request.ts'

let one: TestContext
const keys: string[] = []

beforeAll(async () => {
  one = await createTestContext({ now: '2026-03-01T09:00:00Z' })
  for (let count = 0; count < 2; count++) keys.push((await createPerson(one, { role: 'super_admin' })).key)
})
afterAll(() => one.close())

const as = (who: 0 | 1) => request(one.ctx).withKey(keys[who] ?? '')
const addSite = (who: 0 | 1, key: string, domain: string) =>
  as(who).post('/sites', { domain, site_name: domain }, { 'idempotency-key': key })

test("somebody else's key is refused, whatever is asked with it; its owner hears the first answer again", async () => {
  const key = randomUUID()
  const first = await addSite(0, key, 'one.example')
  expect(first.statusCode).toBe(200)
  const calls: [string, object][] = [
    ['/sites', { domain: 'one.example', site_name: 'one.example' }],
    ['/sites', { domain: 'two.example', site_name: 'two.example' }],
    ['/stripe/customers', { name: 'Ada', email: 'ada@example.com' }],
    ['/stripe/payments/pi_1/refund', { amount: 100 }],
    ['/stripe/subscriptions/sub_1/cancel', {}],
    ['/cloudflare/zones/z1/purge', { everything: true }],
  ]
  for (const [path, body] of calls) {
    const refused = await as(1).post(path, body, { 'idempotency-key': key })
    expect([path, refused.statusCode, refused.json().code, refused.json().detail]).toEqual([
      ...[path, 409, 'idempotency_conflict'],
      'This Idempotency-Key belongs to somebody else: take a new one',
    ])
  }
  expect((await addSite(0, key, 'one.example')).json()).toEqual(first.json())
})

test('of two callers with one key at the same moment, one owns it', async () => {
  const key = randomUUID()
  const answers = await Promise.all([addSite(0, key, 'three.example'), addSite(1, key, 'four.example')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
})

test('a request that is not valid claims no key', async () => {
  const key = randomUUID()
  expect((await as(0).post('/sites', { domain: 7 }, { 'idempotency-key': key })).statusCode).toBe(400)
  expect((await addSite(1, key, 'five.example')).statusCode).toBe(200)
})
