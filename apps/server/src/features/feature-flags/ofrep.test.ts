import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'
import { createFlagStore } from './store.ts'
import { makeFlag } from './test/samples.ts'

const all = '/ofrep/v1/evaluate/flags'
const page = 'https://shop.example'
let t: TestContext
let root: Caller
/** A server's, and one that lies open in pages. */
let key: string
let browserKey: string

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv })
  root = request(t.ctx).withKey((await addPerson(t, { role: 'super_admin' })).key)
  key = await makeKey({ permissions: ['flags.evaluate'] })
  browserKey = await makeKey({
    permissions: ['flags.evaluate'],
    allowed_origins: [page],
    rate_limit_per_minute: 120_000,
  })
})
afterAll(() => t?.close())

async function makeKey(terms: object): Promise<string> {
  const answer = await root.post('/admin/api-keys', { name: 'Sites', ...terms })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().key
}

type Asked = {
  key?: string | null
  context?: unknown
  headers?: Record<string, string>
  body?: string
  from?: TestContext
}
const ask = (
  url: string,
  { key: own = key, context = { targetingKey: 'visitor-1' }, headers, body, from = t }: Asked = {},
) =>
  request(from.ctx)
    .anonymous()
    .inject({
      ...{ method: 'POST', url, payload: body ?? JSON.stringify({ context }) },
      headers: {
        'content-type': 'application/json',
        ...(own !== null && { authorization: `Bearer ${own}` }),
        ...headers,
      },
    })
const one = (name: string, asked?: Asked) => ask(`${all}/${name}`, asked)

describe('who may ask', () => {
  test('is a key with the scope, outside of the API only', async () => {
    await makeFlag(root, { name: 'asked', enabled: true })
    expect((await ask(all, { key: null })).statusCode).toBe(401)
    const other = await makeKey({ permissions: ['sites.read'] })
    const refused = await ask(all, { key: other })
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'flags.evaluate'])
    const person = await addPerson(t, { role: 'super_admin' })
    expect((await one('asked', { key: person.key })).statusCode).toBe(403)
    expect((await ask(all)).statusCode).toBe(200)
    expect((await ask(`/api${all}`)).statusCode).toBe(404)
    expect((await request(t.ctx).withKey(key).get('/sites')).statusCode).toBe(403)
    const denied = await t.ctx.pool.query(
      `select count(*) from audit_entries where action = 'access.denied' and resource_id like 'POST /ofrep%'`,
    )
    expect(Number(denied.rows[0].count)).toBe(2)
  })

  test('is refused beyond its calls a minute, and told when to come back', async () => {
    const slow = await makeKey({ permissions: ['flags.evaluate'], rate_limit_per_minute: 2 })
    const answers = [await ask(all, { key: slow }), await ask(all, { key: slow }), await ask(all, { key: slow })]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('keys for browsers', () => {
  test('hold flags.evaluate and nothing else, and only they may be called so often', async () => {
    const refusal = async (terms: object) => {
      const answer = await root.post('/admin/api-keys', { name: 'Pages', ...terms })
      return [answer.statusCode, answer.json().parameter]
    }
    const origins = { allowed_origins: [page] }
    expect(await refusal({ permissions: ['flags.evaluate', 'sites.read'], ...origins })).toEqual([
      400,
      'allowed_origins',
    ])
    expect(await refusal({ permissions: ['flags.evaluate'], allowed_origins: ['shop.example'] })).toEqual([
      ...[400, 'allowed_origins.0'],
    ])
    expect(await refusal({ permissions: ['flags.evaluate'], rate_limit_per_minute: 10_001 })).toEqual([
      ...[400, 'rate_limit_per_minute'],
    ])
    expect(await refusal({ permissions: ['flags.evaluate'], rate_limit_per_minute: 120_001, ...origins })).toEqual([
      ...[400, 'rate_limit_per_minute'],
    ])
  })

  test('change their origins, but never lose them', async () => {
    const made = (
      await root.post('/admin/api-keys', { name: 'Pages', permissions: ['flags.evaluate'], allowed_origins: [page] })
    ).json()
    const patch = (body: object) => root.patch(`/admin/api-keys/${made.api_key.id}`, body)
    expect((await patch({ allowed_origins: [] })).statusCode).toBe(400)
    const moved = await patch({ allowed_origins: ['https://new.example', 'https://new.example'] })
    expect(moved.json().api_key.allowed_origins).toEqual(['https://new.example'])
    expect((await ask(all, { key: made.key, headers: { origin: 'https://new.example' } })).statusCode).toBe(200)
    expect((await ask(all, { key: made.key, headers: { origin: page } })).statusCode).toBe(403)
  })

  test('are answered to their pages, which may read tag and waiting time', async () => {
    const answer = await ask(all, { key: browserKey, headers: { origin: page } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      ...{ 'access-control-allow-origin': page, vary: 'origin' },
      'access-control-expose-headers': 'etag, retry-after',
    })
    const elsewhere: Record<string, string>[] = [{ origin: 'https://other.example' }, {}]
    for (const headers of elsewhere) {
      const refused = await ask(all, { key: browserKey, headers })
      expect(refused.statusCode).toBe(403)
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('announce themselves before: only the origins of a key are let in', async () => {
    const preflight = (origin: string) =>
      request(t.ctx)
        .anonymous()
        .inject({
          method: 'OPTIONS',
          url: `${all}/anything`,
          headers: { origin, 'access-control-request-method': 'POST' },
        })
    const allowed = await preflight(page)
    expect(allowed.statusCode).toBe(204)
    expect(allowed.headers).toMatchObject({
      ...{ 'access-control-allow-origin': page, 'access-control-allow-methods': 'POST' },
      'access-control-allow-headers': expect.stringContaining('if-none-match'),
    })
    expect((await preflight('https://other.example')).statusCode).toBe(404)
  })
})

describe('an answer', () => {
  test('has value, variant and reason, one by one and all together', async () => {
    await makeFlag(root, { name: 'for-all', enabled: true })
    await makeFlag(root, { name: 'for-none' })
    expect((await one('for-all')).json()).toEqual({ key: 'for-all', reason: 'STATIC', variant: 'on', value: true })
    expect((await one('for-none')).json()).toEqual({
      key: 'for-none',
      reason: 'DISABLED',
      variant: 'off',
      value: false,
    })
    const { flags } = (await ask(all)).json()
    expect(flags).toContainEqual({ key: 'for-all', reason: 'STATIC', variant: 'on', value: true })
    expect(flags).toContainEqual({ key: 'for-none', reason: 'DISABLED', variant: 'off', value: false })
  })

  test('knows the site that asks by its id or its domain, its customer and what that pays for', async () => {
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_asks', name: 'Asks' }])
    await insertRows(t.ctx.pool, 'products', [{ id: 'prod_asks', name: 'Care' }])
    await insertRows(t.ctx.pool, 'subscriptions', [
      { id: 'sub_asks', customer_id: 'cus_asks', product_id: 'prod_asks' },
    ])
    const site = await makeSite(root, { customer_id: 'cus_asks' })
    await makeFlag(root, {
      name: 'by-customer',
      enabled: true,
      rollout_percentage: 0,
      always: { customers: ['cus_asks'] },
    })
    await makeFlag(root, { name: 'by-plan', enabled: true, rollout_percentage: 0, always: { plans: ['prod_asks'] } })
    for (const context of [{ site: site.id }, { domain: site.domain }, { domain: `WWW.${site.domain}` }])
      for (const name of ['by-customer', 'by-plan'])
        expect([name, context, (await one(name, { context })).json().value]).toEqual([name, context, true])
    expect((await one('by-customer', { context: { customer: 'cus_asks' } })).json().value).toBe(true)
    expect((await one('by-plan', { context: { plan: 'prod_asks' } })).json().value).toBe(true)
    expect((await one('by-plan', { context: { domain: 'elsewhere.example' } })).json()).toMatchObject({
      ...{ value: false, reason: 'STATIC' },
    })
  })

  test('is their own for each of many sites that ask at once', async () => {
    const customers = Array.from({ length: 20 }, (_, n) => `cus_${n}`)
    await insertRows(
      t.ctx.pool,
      'customers',
      customers.map((id) => ({ id, name: id })),
    )
    await makeFlag(root, {
      ...{ name: 'of-some', enabled: true, rollout_percentage: 0 },
      always: { customers: ['cus_1', 'cus_4', 'cus_5', 'cus_19'] },
    })
    const sites = []
    for (const customer_id of customers) sites.push(await makeSite(root, { customer_id }))
    const answers = await Promise.all(sites.map(({ domain }) => one('of-some', { context: { domain } })))
    const shown = customers.filter((_, place) => answers[place]?.json().value)
    expect(shown).toEqual(['cus_1', 'cus_4', 'cus_5', 'cus_19'])
  })

  test('of a part of the visitors is the same for one of them, and needs to know which', async () => {
    await makeFlag(root, { name: 'for-some', enabled: true, rollout_percentage: 50 })
    const values = new Set<boolean>()
    for (let n = 0; n < 20; n++) {
      const context = { targetingKey: `visitor-${n}` }
      const [first, again] = [await one('for-some', { context }), await one('for-some', { context })]
      expect(first.json()).toMatchObject({ reason: 'SPLIT' })
      expect(again.json()).toEqual(first.json())
      values.add(first.json().value)
    }
    expect(values.size).toBe(2)
    const missing = await one('for-some', { context: {} })
    expect([missing.statusCode, missing.json()]).toEqual([
      400,
      { key: 'for-some', errorCode: 'TARGETING_KEY_MISSING', errorDetails: expect.any(String) },
    ])
    const { flags } = (await ask(all, { context: {} })).json()
    expect(flags).toContainEqual(expect.objectContaining({ key: 'for-some', errorCode: 'TARGETING_KEY_MISSING' }))
  })

  test.each([
    ['{"context":', 'PARSE_ERROR'],
    ['', 'PARSE_ERROR'],
    ['[]', 'INVALID_CONTEXT'],
    ['{"context":[]}', 'INVALID_CONTEXT'],
    ['{"context":{"site":7}}', 'INVALID_CONTEXT'],
    ['{"context":{"targetingKey":"a\\u0000b"}}', 'INVALID_CONTEXT'],
  ])('to %j is an error of the protocol', async (body, errorCode) => {
    for (const url of [all, `${all}/for-all`]) {
      const answer = await ask(url, { body })
      expect([answer.statusCode, answer.json().errorCode]).toEqual([400, errorCode])
    }
  })

  test('of a flag that there is not, or not any more, says so', async () => {
    const flag = await makeFlag(root, { enabled: true })
    await root.post(`/features/${flag.id}/archive`)
    for (const name of [flag.name, 'never-was'])
      expect((await one(name)).json()).toEqual({
        ...{ key: name, errorCode: 'FLAG_NOT_FOUND', errorDetails: 'There is no such flag' },
      })
    expect((await one('never-was')).statusCode).toBe(404)
  })

  test('that did not change is not sent again', async () => {
    const flag = await makeFlag(root, { name: 'tagged', enabled: true })
    const first = await ask(all)
    const etag = String(first.headers['etag'])
    const again = await ask(all, { headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag])
    await root.patch(`/features/${flag.id}`, { enabled: false })
    const changed = await ask(all, { headers: { 'if-none-match': etag } })
    expect(changed.statusCode).toBe(200)
    expect(changed.headers['etag']).not.toBe(etag)
  })

  test('is remembered: the flag says when it was last asked for', async () => {
    const { id, name } = await makeFlag(root)
    await one(name)
    await t.ctx.instance(createFlagStore).write()
    const { rows } = await t.ctx.pool.query('select last_evaluated_at from feature_flags where id = $1', [id])
    expect(rows[0].last_evaluated_at).not.toBeNull()
  })
})

describe('the kill switch', () => {
  test('holds in another process on the same database', async () => {
    const other = await createTestContext({ env: secretsEnv, database: t.database })
    try {
      const flag = await makeFlag(root, { enabled: true })
      const seen = async () => (await one(flag.name, { from: other })).json().value
      await expect.poll(seen).toBe(true)
      await root.patch(`/features/${flag.id}`, { enabled: false })
      expect((await one(flag.name)).json().value).toBe(false)
      await expect.poll(seen).toBe(false)
    } finally {
      await other.close()
    }
  })

  test('holds there within five seconds when no news of it comes through', async () => {
    const other = await createTestContext({ env: secretsEnv, database: t.database })
    try {
      const flag = await makeFlag(root, { enabled: true })
      const deaf = { ...other.ctx.changes, version: () => 1 }
      const store = createFlagStore({ ...other.ctx, changes: deaf })
      expect((await store.flags()).byName.get(flag.name)?.enabled).toBe(true)
      await root.patch(`/features/${flag.id}`, { enabled: false })
      const later = performance.now() + 5000
      vi.spyOn(performance, 'now').mockReturnValue(later)
      expect((await store.flags()).byName.get(flag.name)?.enabled).toBe(false)
    } finally {
      vi.restoreAllMocks()
      await other.close()
    }
  })

  test('is answered as it was known last while the database is away', async () => {
    const flag = await makeFlag(root, { enabled: true })
    let isAway = false
    let version = 0
    const count = () => ++version
    const store = createFlagStore({
      ...t.ctx,
      get db() {
        if (isAway) throw new Error('away')
        return t.ctx.db
      },
      changes: { ...t.ctx.changes, version: count },
    })
    expect((await store.flags()).byName.get(flag.name)?.enabled).toBe(true)
    isAway = true
    expect((await store.flags()).byName.get(flag.name)?.enabled).toBe(true)
  })
})
