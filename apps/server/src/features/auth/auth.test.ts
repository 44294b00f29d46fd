import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey, makeAdminKey } from './index.ts'

const adminKey = 'the key of this test, long enough'.replaceAll(' ', '-')
const minutes = 60_000
const hours = 60 * minutes

let test1: TestContext
/** Another process on the same database, with the same clock. */
let test2: TestContext
let address = 0

beforeAll(async () => {
  test1 = await createTestContext({ env: { ADMIN_KEY: adminKey }, now: '2026-03-01T09:00:00Z' })
  test2 = await createTestContext({ env: { ADMIN_KEY: adminKey }, database: test1.database, clock: test1.clock })
  await ensureAdminKey(asSystem(test1.ctx, 'job', 'start'))
})

afterAll(async () => {
  await test2?.close()
  await test1?.close()
})

beforeEach(() => {
  // Each test comes from an address of its own.
  address++
})

const from = () => `198.51.100.${address}`

async function signIn(ctx = test1.ctx): Promise<string> {
  const response = await request(ctx).anonymous(from()).post('/auth/login', { key: adminKey })
  expect(response.statusCode).toBe(200)
  return response.json().session_key
}

const session = (key: string, ctx = test1.ctx) => request(ctx).withKey(key, from()).get('/auth/session')
const heartbeat = (key: string) => request(test1.ctx).withKey(key, from()).post('/auth/heartbeat', {})
const report = (key: string, tab: string, state: string) =>
  request(test1.ctx).withKey(key, from()).post('/auth/visibility', { tab, state })
const auditOf = async (requestIds: string[]) => {
  const rows = await test1.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'actor_name'])
    .where('request_id', 'in', requestIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => `${row.actor_name}: ${row.action} ${row.outcome}`)
}
const requestIdOf = (response: { headers: Record<string, unknown> }) => String(response.headers['x-request-id'])

describe('signing in', () => {
  test('trades the admin key for a session key that is stored as a hash only', async () => {
    const response = await request(test1.ctx)
      .anonymous(from())
      .post('/auth/login', { key: ` ${adminKey} ` })
    expect(response.statusCode).toBe(200)
    const answer = response.json()
    expect(answer).toMatchObject({
      actor: { type: 'admin_key', name: 'Admin key', role: 'super_admin' },
      mode: 'demo',
      stripe_account: null,
      session: {
        created_at: '2026-03-01T09:00:00.000Z',
        idle_expires_at: '2026-03-01T09:30:00.000Z',
        expires_at: '2026-03-01T21:00:00.000Z',
        warn_after_s: 1500,
        idle_limit_s: 1800,
      },
    })
    expect(answer.session_key).toMatch(/^acs_[\w-]{43}$/)
    const { rows } = await test1.ctx.pool.query('select sessions::text as row from sessions')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(answer.session_key)
    const settings = await test1.ctx.pool.query('select instance_settings::text as row from instance_settings')
    expect(settings.rows[0].row).toContain('admin_key')
    expect(JSON.stringify(settings.rows)).not.toContain(adminKey)
    expect((await session(answer.session_key)).json()).toEqual({ ...answer, session_key: undefined })
    expect(await auditOf([requestIdOf(response)])).toEqual(['Admin key: session.sign_in done'])
  })
})
