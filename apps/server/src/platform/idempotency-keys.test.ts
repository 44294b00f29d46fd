import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../test/context.ts'
import { createPerson } from '../../test/people.ts'
import { request } from '../../test/request.ts'
import { once } from './idempotency-keys.ts'

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
      'This Idempotency-Key belongs to someone else: use a new one',
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

test('a key that was owned and begun nothing when the process ended still does its work, once', async () => {
  const { rows } = await one.ctx.pool.query(`select caller from idempotency_keys limit 1`)
  const key = randomUUID()
  await one.ctx.pool.query('insert into idempotency_keys (key, caller, used_at) values ($1, $2, now())', [
    ...[key, rows[0].caller],
  ])
  const answers = await Promise.all([addSite(0, key, 'six.example'), addSite(0, key, 'six.example')])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(answers[0]?.json().site.id).toBe(answers[1]?.json().site.id)
  expect((await one.ctx.pool.query(`select id from sites where domain = 'six.example'`)).rows).toHaveLength(1)
})

test('a key is held to its address and body; what was refused leaves it free', async () => {
  const key = randomUUID()
  expect((await addSite(0, key, 'five.example')).statusCode).toBe(409)
  const first = await addSite(0, key, 'seven.example')
  expect(first.statusCode).toBe(200)
  const { id } = first.json().site
  for (const [path, body] of [
    ['/sites', { domain: 'eight.example', site_name: 'eight.example' }],
    ['/sites', { domain: 'seven.example', site_name: 'other' }],
    [`/sites/${id}/suspend`, { reason: 'x' }],
    [`/sites/${id}/resume`, undefined],
  ] as const)
    expect((await as(0).post(path, body, { 'idempotency-key': key })).json()).toMatchObject({
      ...{ status: 409, code: 'idempotency_conflict' },
      detail: 'This Idempotency-Key was already used for another request: use a new one',
    })
  const again = await as(0).post(
    '/sites',
    { site_name: 'seven.example', domain: 'seven.example' },
    { 'idempotency-key': key },
  )
  expect(again.json().site.id).toBe(id)
})

test('a suspension that is repeated after the site was resumed does not suspend it again', async () => {
  const { id } = (await addSite(0, randomUUID(), 'nine.example')).json().site
  const key = randomUUID()
  const suspend = () => as(0).post(`/sites/${id}/suspend`, { reason: 'Unpaid' }, { 'idempotency-key': key })
  expect((await suspend()).statusCode).toBe(200)
  expect((await as(0).post(`/sites/${id}/resume`)).statusCode).toBe(200)
  const { rows } = await one.ctx.pool.query('select count(*) from site_suspensions where site_id = $1', [id])
  expect((await suspend()).statusCode).toBe(200)
  expect((await one.ctx.pool.query('select count(*) from site_suspensions where site_id = $1', [id])).rows).toEqual(
    rows,
  )
})

test('a call that has acted without binding its key is an error, so that none forgets it', async () => {
  const asked = { key: randomUUID(), caller: 'somebody', request: 'POST /things', body: {} }
  const forgetful = once(one.ctx, asked, { handle: () => 'done' })
  await expect(forgetful).rejects.toThrow('POST /things has acted and did not bind its key')
})
