import type { ApiKey } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, testAdminKey } from '../../../test/sign-in.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let one: TestContext
let two: TestContext
let admin: Caller

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
  admin = request(one.ctx).withKey(testAdminKey)
  await one.ctx.pool.query(
    `insert into roles (id, name, display_name, permissions) values
      ('keeper', 'keeper', 'Keeper', '{admin.system,customers.read}'),
      ('nobody', 'nobody', 'Nobody', '{}')`,
  )
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

const at = (ms: number) => new Date(one.clock.now() + ms).toISOString()
type Given = Record<string, unknown>
async function make(given: Given = {}, by = admin): Promise<{ key: string; api_key: ApiKey }> {
  const response = await by.post('/admin/api-keys', { name: 'Reports', permissions: ['customers.read'], ...given })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}
const listed = async (id: string): Promise<ApiKey> =>
  (await admin.get('/admin/api-keys')).json().keys.find((key: ApiKey) => key.id === id)

/** What a key may read, in one process and then in the other. */
async function statusOf(key: string, path = '/stripe/customers', process = one): Promise<number> {
  return (await request(process.ctx).withKey(key).get(path)).statusCode
}

describe('an API key', () => {
  test('does what it was given, in every process, and nothing else', async () => {
    const { key, api_key } = await make()
    expect(key).toMatch(/^agc_[0-9A-Za-z]{49}$/)
    expect(api_key).toMatchObject({
      ...{ name: 'Reports', key_prefix: key.slice(0, 12), state: 'active', is_active: true, created_by: 'Admin key' },
      ...{ permissions: ['customers.read'], effective_permissions: ['customers.read'], rate_limit_per_minute: 600 },
      ...{ last_used: null, use_count: 0, expires_at: null, previous: null },
    })
    expect([await statusOf(key), await statusOf(key, '/stripe/customers', two)]).toEqual([200, 200])
    expect(await statusOf(key, '/stripe/payments')).toBe(403)
    expect(await statusOf(key, '/admin/api-keys')).toBe(403)
    const asBearer = await request(two.ctx)
      .anonymous()
      .inject({ method: 'GET', url: '/api/stripe/customers', headers: { authorization: `Bearer ${key}` } })
    expect(asBearer.statusCode).toBe(200)
  })

  test('is stored as a hash only, and is in no answer, entry or column afterwards', async () => {
    const { key, api_key } = await make({ name: 'Hidden' })
    const secret = key.slice(12)
    const { rows } = await one.ctx.pool.query(
      `select (select string_agg(k::text, ' ') from api_keys k) || (select string_agg(e::text, ' ') from audit_entries e) as all`,
    )
    expect(rows[0].all).toContain(api_key.id)
    expect(rows[0].all).not.toContain(secret)
    expect((await admin.get('/admin/api-keys')).body).not.toContain(secret)
  })

  test('says when, from where and for what it was last used', async () => {
    const { key, api_key } = await make()
    for (let count = 0; count < 3; count++)
      expect((await request(one.ctx).withKey(key, '10.1.1.1').get('/stripe/customers')).statusCode).toBe(200)
    await eventually(async () =>
      expect(await listed(api_key.id)).toMatchObject({
        ...{ last_used: at(0), last_used_address: '10.1.1.1', use_count: 3 },
        last_used_endpoint: 'GET /api/stripe/customers',
      }),
    )
  })

  test('waits when it calls too often, without holding up others', async () => {
    const { key } = await make({ rate_limit_per_minute: 2 })
    const other = await make()
    expect([await statusOf(key), await statusOf(key)]).toEqual([200, 200])
    const refused = await request(one.ctx).withKey(key).get('/stripe/customers')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await statusOf(other.key)).toBe(200)
    one.clock.advance(minute)
    expect(await statusOf(key)).toBe(200)
  })

  test('ends at its end', async () => {
    const { key, api_key } = await make({ expires_at: at(5 * minute) })
    expect(api_key.state).toBe('expiring')
    one.clock.advance(5 * minute - 1)
    expect(await statusOf(key)).toBe(200)
    one.clock.advance(1)
    expect([await statusOf(key), await statusOf(key, '/stripe/customers', two)]).toEqual([401, 401])
    expect(await listed(api_key.id)).toMatchObject({ state: 'expired', is_active: false, effective_permissions: [] })
  })

  test('that is revoked does nothing on its next request, in every process', async () => {
    const { key, api_key } = await make()
    expect([await statusOf(key), await statusOf(key, '/stripe/customers', two)]).toEqual([200, 200])
    const revoked = await admin.post(`/admin/api-keys/${api_key.id}/revoke`)
    expect(revoked.json().api_key).toMatchObject({ state: 'revoked', is_active: false })
    expect(await auditOf(one, revoked)).toEqual(['Admin key: api_key.revoke done'])
    expect(await statusOf(key)).toBe(401)
    await eventually(async () => expect(await statusOf(key, '/stripe/customers', two)).toBe(401))
    const again = await admin.post(`/admin/api-keys/${api_key.id}/revoke`)
    expect([again.statusCode, await auditOf(one, again)]).toEqual([200, []])
    for (const [call, body] of [['roll', { overlap_hours: 1 }]] as const)
      expect((await admin.post(`/admin/api-keys/${api_key.id}/${call}`, body)).json()).toMatchObject({
        code: 'conflict',
      })
  })

  test('can be renamed and given another limit, which is written down', async () => {
    const { api_key } = await make()
    const change = { name: 'Warehouse', rate_limit_per_minute: 10 }
    const changed = await admin.patch(`/admin/api-keys/${api_key.id}`, change)
    expect(changed.json().api_key).toMatchObject(change)
    expect(await auditOf(one, changed)).toEqual(['Admin key: api_key.update done'])
    const same = await admin.patch(`/admin/api-keys/${api_key.id}`, change)
    expect([same.statusCode, await auditOf(one, same)]).toEqual([200, []])
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ permissions: [] }, 'permissions'],
    [{ permissions: ['admin.system'] }, 'permissions'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 'soon' }, 'expires_at'],
    [{ rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    [{ key_hash: 'x' }, 'key_hash'],
  ])('cannot be made with %j', async (given, parameter) => {
    const body = { name: 'Reports', permissions: ['customers.read'], ...given }
    const answer = await admin.post('/admin/api-keys', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(parameter)
  })

  test.each(['revoke', 'roll'])('that does not exist cannot be changed: %s', async (call) => {
    const body = call === 'roll' ? {} : undefined
    expect((await admin.post(`/admin/api-keys/none/${call}`, body)).statusCode).toBe(404)
    expect((await admin.patch('/admin/api-keys/none', { name: 'x' })).statusCode).toBe(404)
  })
})

describe('a re-roll', () => {
  test('lets the key before go on for the overlap, and not longer', async () => {
    const { key, api_key } = await make()
    const rolled = await admin.post(`/admin/api-keys/${api_key.id}/roll`, { overlap_hours: 2 })
    const { key: next, api_key: shown } = rolled.json()
    expect(shown.previous).toEqual({ key_prefix: key.slice(0, 12), expires_at: at(2 * hour) })
    expect(await auditOf(one, rolled)).toEqual(['Admin key: api_key.roll done'])
    expect([await statusOf(key), await statusOf(next)]).toEqual([200, 200])
    await eventually(async () => expect(await statusOf(key, '/stripe/customers', two)).toBe(200))
    one.clock.advance(2 * hour)
    expect([await statusOf(key), await statusOf(key, '/stripe/customers', two)]).toEqual([401, 401])
    expect([await statusOf(next), (await listed(api_key.id)).previous]).toEqual([200, null])
  })

  test('without overlap ends the key before at once', async () => {
    const { key, api_key } = await make()
    expect(await statusOf(key)).toBe(200)
    const { key: next, api_key: shown } = (
      await admin.post(`/admin/api-keys/${api_key.id}/roll`, { overlap_hours: 0 })
    ).json()
    expect([await statusOf(key), await statusOf(next), shown.previous]).toEqual([401, 200, null])
  })

  test('lasts seven days at most', async () => {
    const { api_key } = await make()
    expect((await admin.post(`/admin/api-keys/${api_key.id}/roll`, { overlap_hours: 169 })).statusCode).toBe(400)
  })
})

describe('whoever makes a key', () => {
  test('gives no more than they hold, and gets no more by a re-roll', async () => {
    const keeper = request(one.ctx).withKey((await addPerson(one, { role: 'keeper' })).key)
    const body = { name: 'More', permissions: ['customers.read', 'billing.read'] }
    const refused = await keeper.post('/admin/api-keys', body)
    expect(refused.json()).toMatchObject({ status: 403, code: 'forbidden' })
    expect(refused.json().detail).toContain('billing.read')
    expect(await auditOf(one, refused)).toEqual([expect.stringMatching(/api_key\.create denied$/)])
    const { api_key } = await make({ permissions: ['customers.read', 'billing.read'] })
    const rolled = await keeper.post(`/admin/api-keys/${api_key.id}/roll`, {})
    expect([rolled.statusCode, ...(await auditOf(one, rolled))]).toEqual([
      403,
      expect.stringContaining('api_key.roll denied'),
    ])
    const own = await make({}, keeper)
    expect((await keeper.post(`/admin/api-keys/${own.api_key.id}/roll`, {})).statusCode).toBe(200)
  })

  test('narrows their keys when they may do less, and ends them when they are gone', async () => {
    const person = await addPerson(one, { role: 'keeper', name: 'Kay' })
    const { key, api_key } = await make({}, request(one.ctx).withKey(person.key))
    expect(api_key.created_by).toBe('Kay')
    expect([await statusOf(key), await statusOf(key, '/stripe/customers', two)]).toEqual([200, 200])

    await one.ctx.pool.query(`update users set role_id = 'nobody' where id = $1`, [person.id])
    await eventually(async () => expect(await statusOf(key)).toBe(403))
    await eventually(async () => expect(await statusOf(key, '/stripe/customers', two)).toBe(403))
    expect(await listed(api_key.id)).toMatchObject({ state: 'active', effective_permissions: [] })

    await one.ctx.pool.query(`update users set is_active = false where id = $1`, [person.id])
    await eventually(async () => expect(await statusOf(key)).toBe(401))
    expect(await listed(api_key.id)).toMatchObject({ state: 'creator_gone', is_active: false })
    expect((await admin.post(`/admin/api-keys/${api_key.id}/roll`, {})).json()).toMatchObject({ code: 'conflict' })

    await one.ctx.pool.query(`delete from users where id = $1`, [person.id])
    expect(await listed(api_key.id)).toMatchObject({ state: 'creator_gone', created_by: 'Kay' })
  })
})

test('reminds 30 days, 7 days and a day before the end, each once, and not of keys that are revoked', async () => {
  await one.ctx.db.deleteFrom('notifications').execute()
  await make({ name: 'Ending', expires_at: at(40 * day) })
  const gone = await make({ name: 'Gone', expires_at: at(40 * day) })
  await admin.post(`/admin/api-keys/${gone.api_key.id}/revoke`)
  const titles = async () =>
    (
      await one.ctx.db
        .selectFrom('notifications')
        .select('title')
        .where('type', '=', 'api_key.expiring')
        .orderBy('created_at')
        .execute()
    ).map(({ title }) => title)
  for (let passed = 0; passed < 41; passed++) {
    await runJob(one.ctx, 'api-keys.remind')
    await runJob(two.ctx, 'api-keys.remind')
    one.clock.advance(day)
  }
  expect(await titles()).toEqual([
    'The API key Ending expires within 30 days',
    'The API key Ending expires within 7 days',
    'The API key Ending expires within a day',
  ])
})
