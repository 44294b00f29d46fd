import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { auditOf, createTwoProcesses, getSession, signIn } from '../../../test/sign-in.ts'
import { asSystem, inTransaction, notConnected } from '../../context.ts'
import { createSettingsKeeper } from './keeper.ts'
import { lockSettings, saveSetting } from './queries/settings.ts'

const key = 'sk_test_a1B2c3D4e5'
const other = 'sk_test_f6G7h8I9j0'

let one: TestContext
const opened: TestContext[] = []

async function open(env: Record<string, string> = {}): Promise<TestContext> {
  const test = await createTestContext({ env: { ...secretsEnv, ...env } })
  opened.push(test)
  return test
}

beforeAll(async () => {
  one = await open()
})
beforeEach(async () => {
  await one.ctx.db.deleteFrom('settings').execute()
  await one.ctx.db.deleteFrom('setting_versions').execute()
  await one.ctx.instance(createSettingsKeeper).reload()
})
afterAll(async () => {
  for (const test of opened) await test.close()
})

const admin = ({ ctx }: TestContext = one) => request(ctx).as(['admin.system'])
const patch = (changes: Record<string, unknown>, test = one, versions?: Record<string, number>) =>
  admin(test).patch('/admin/settings', { changes, ...(versions && { versions }) })

type Answer = { json(): { settings: { key: string }[] } }
const settingOf = (answer: Answer, name: string) => answer.json().settings.find((setting) => setting.key === name)

describe('settings', () => {
  test('are listed with their source, bounds and default', async () => {
    const answer = await admin().get('/admin/settings')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().public_url_known).toBe(false)
    expect(settingOf(answer, 'sessions.idle_minutes')).toEqual({
      key: 'sessions.idle_minutes',
      group: 'sessions',
      label: 'Sign out when inactive for',
      hint: 'Shorter limits also apply to current sessions.',
      kind: 'number',
      choices: null,
      min: 5,
      max: 30,
      unit: 'minutes',
      source: 'default',
      env: null,
      value: 30,
      is_set: false,
      default_value: 30,
      version: 0,
      updated_at: null,
      updated_by: null,
    })
  })

  test('are changed, are in force at once and leave an entry for each', async () => {
    const answer = await patch({ 'company.name': 'Harbor & Pine', 'retention.mail_days': 30 })
    expect(answer.statusCode).toBe(200)
    expect(settingOf(answer, 'company.name')).toMatchObject({
      source: 'database',
      value: 'Harbor & Pine',
      is_set: true,
      version: 1,
      updated_by: 'Test custom',
    })
    expect(one.ctx.config.settings).toMatchObject({ companyName: 'Harbor & Pine', mailDays: 30 })
    const entries = await one.ctx.db
      .selectFrom('audit_entries')
      .select(['action', 'resource_id', 'before', 'after'])
      .where('request_id', '=', String(answer.headers['x-request-id']))
      .orderBy('resource_id')
      .execute()
    expect(entries).toEqual([
      {
        action: 'settings.change',
        resource_id: 'company.name',
        before: { value: null, version: 0 },
        after: { value: 'Harbor & Pine', version: 1 },
      },
      {
        action: 'settings.change',
        resource_id: 'retention.mail_days',
        before: { value: null, version: 0 },
        after: { value: 30, version: 1 },
      },
    ])
    const back = await patch({ 'company.name': null })
    expect(settingOf(back, 'company.name')).toMatchObject({ source: 'default', value: 'Agency Console', version: 2 })
    expect(one.ctx.config.settings.companyName).toBe('Agency Console')
  })

  test('that stay the same make no version and no entry', async () => {
    await patch({ 'company.name': 'Harbor & Pine', 'stripe.secret_key': key })
    const again = await patch({ 'company.name': 'Harbor & Pine', 'stripe.secret_key': key, 'company.currency': null })
    expect(await auditOf(one, again)).toEqual([])
    expect(settingOf(again, 'stripe.secret_key')).toMatchObject({ version: 1 })
  })

  test.each<[Record<string, unknown>, string]>([
    [{ 'company.motto': 'Ahoy' }, 'company.motto'],
    [{ 'company.name': 'Fine', 'sessions.idle_minutes': 500 }, 'sessions.idle_minutes'],
    [{ 'company.name': 'Fine', 'mail.smtp_url': 'smtp://mail.example.com' }, 'mail.from'],
    [{ 'stripe.secret_key': 'sk_live_1', 'stripe.api_base': 'http://stripe.example.com' }, 'stripe.api_base'],
    [{ 'company.name': '' }, 'company.name'],
  ])('are changed all or not at all: %j', async (changes, parameter) => {
    const answer = await patch(changes)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_request', parameter })
    expect(await one.ctx.db.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  test('are changed although others do not fit any more, since the environment is another', async () => {
    await patch({ 'mail.from': 'a@example.com', 'mail.smtp_url': 'smtp://mail.example.com' })
    await one.ctx.db.deleteFrom('settings').where('key', '=', 'mail.from').execute()
    expect((await patch({ 'company.name': 'Harbor & Pine' })).statusCode).toBe(200)
    expect(one.ctx.config.smtpUrl).toBeUndefined()
    expect((await patch({ 'mail.public_url': 'https://a.example.com' })).json()).toMatchObject({
      parameter: 'mail.from',
    })
  })

  test('refuse a change that was made on an older version', async () => {
    await patch({ 'company.name': 'First' })
    const late = await patch({ 'company.name': 'Second', 'retention.mail_days': 20 }, one, { 'company.name': 0 })
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ code: 'conflict', parameter: 'company.name' })
    expect(one.ctx.config.settings).toMatchObject({ companyName: 'First', mailDays: 90 })
    expect((await patch({ 'company.name': 'Second' }, one, { 'company.name': 1 })).statusCode).toBe(200)
  })

  test('are changed by one at a time', async () => {
    const system = asSystem(one.ctx, 'job', 'test')
    const late = await inTransaction(system, async (tx) => {
      await lockSettings(tx)
      const waiting = patch({ 'company.name': 'Second' }, one, { 'company.name': 0 })
      // Time for it to come to where it has to wait.
      await new Promise((resolve) => setTimeout(resolve, 300))
      const first = { key: 'company.name', version: 1, at: new Date() }
      await saveSetting(tx, first, { value: 'First', sealed: null })
      return { waiting }
    })
    expect((await late.waiting).statusCode).toBe(409)
    await one.ctx.instance(createSettingsKeeper).reload()
    expect(one.ctx.config.settings.companyName).toBe('First')
  })

  test('that the environment sets cannot be changed, and say which variable', async () => {
    const locked = await open({ PUBLIC_URL: 'https://env.example.com', STRIPE_SECRET_KEY: key })
    const list = await admin(locked).get('/admin/settings')
    expect(list.json().public_url_known).toBe(true)
    expect(settingOf(list, 'mail.public_url')).toMatchObject({
      source: 'environment',
      env: 'PUBLIC_URL',
      value: 'https://env.example.com',
    })
    expect(settingOf(list, 'stripe.secret_key')).toMatchObject({ source: 'environment', value: null, is_set: true })
    expect(settingOf(list, 'stripe.api_base')).toMatchObject({ source: 'environment', env: 'STRIPE_SECRET_KEY' })
    for (const changes of [{ 'mail.public_url': null }, { 'stripe.api_base': 'https://evil.example.com' }]) {
      const answer = await patch(changes, locked)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ parameter: Object.keys(changes)[0] })
      expect(answer.json().detail).toContain('fixed by the server')
    }
  })
})

describe('a secret', () => {
  test('is sealed, and neither answered nor written down', async () => {
    const answer = await patch({ 'stripe.secret_key': key })
    expect(settingOf(answer, 'stripe.secret_key')).toMatchObject({ value: null, is_set: true, source: 'database' })
    expect(one.ctx.config.stripe.secretKey).toBe(key)
    const history = await admin().get('/admin/settings/stripe.secret_key/history')
    expect(history.json().versions).toMatchObject([{ version: 1, value: null, is_secret: true, is_set: true }])
    const { rows } = await one.ctx.pool.query(`
      select (select json_agg(s)::text from settings s) as settings, (select json_agg(v)::text from setting_versions v) as versions,
        (select json_agg(a)::text from audit_entries a) as audit`)
    for (const text of [answer.body, history.body, ...Object.values(rows[0] as Record<string, string>)])
      expect(text).not.toContain(key)
    const entry = await one.ctx.db
      .selectFrom('audit_entries')
      .select(['before', 'after'])
      .where('request_id', '=', String(answer.headers['x-request-id']))
      .executeTakeFirst()
    expect(entry).toEqual({ before: { value: 'not set', version: 0 }, after: { value: 'set', version: 1 } })
  })

  test('is only sent to another address by whoever gives it again', async () => {
    await patch({ 'stripe.secret_key': key })
    const moved = await patch({ 'stripe.api_base': 'https://evil.example.com' })
    expect(moved.statusCode).toBe(400)
    expect(moved.json()).toMatchObject({ parameter: 'stripe.secret_key' })
    expect(one.ctx.config.stripe).toMatchObject({ secretKey: key, apiBase: undefined })
    const both = { 'stripe.api_base': 'https://proxy.example.com', 'stripe.secret_key': other }
    expect((await patch(both)).statusCode).toBe(200)
    // The earlier key was never sent there, and whoever asks for it need not know it.
    const back = await admin().post('/admin/settings/stripe.secret_key/revert', { version: 1 })
    expect(back.statusCode).toBe(400)
    expect(back.json()).toMatchObject({ parameter: 'stripe.secret_key' })
    expect((await patch({ 'stripe.api_base': null })).statusCode).toBe(200)
    expect((await admin().post('/admin/settings/stripe.secret_key/revert', { version: 1 })).statusCode).toBe(200)
    expect(one.ctx.config.stripe).toMatchObject({ secretKey: key, apiBase: undefined })
    const older = await admin().post('/admin/settings/stripe.api_base/revert', { version: 1 })
    expect(older.statusCode).toBe(400)
    // With the address that it was set together with, a key may come back.
    await patch({ ...both, 'stripe.secret_key': `${other}2` })
    await patch({ 'stripe.secret_key': key })
    expect((await admin().post('/admin/settings/stripe.secret_key/revert', { version: 4 })).statusCode).toBe(200)
    expect(one.ctx.config.stripe).toMatchObject({ secretKey: `${other}2`, apiBase: both['stripe.api_base'] })
  })

  test('that was sealed with another key counts as not set and says why', async () => {
    await patch({ 'cloudflare.api_token': 'token-1' })
    const stranger = await createTestContext({
      database: one.database,
      env: { SECRETS_KEY: 'another-secrets-key-of-at-least-32-characters' },
    })
    await stranger.ctx.instance(createSettingsKeeper).reload()
    expect(stranger.ctx.config.cloudflare.apiToken).toBeUndefined()
    const list = await admin(stranger).get('/admin/settings')
    expect(settingOf(list, 'cloudflare.api_token')).toMatchObject({
      is_set: false,
      problem: 'was encrypted with another SECRETS_KEY: set it again',
    })
    const revert = await admin(stranger).post('/admin/settings/cloudflare.api_token/revert', { version: 1 })
    expect(revert.statusCode).toBe(409)
    const moved = await patch({ 'cloudflare.api_base': 'https://evil.example.com' }, stranger)
    expect(moved.json()).toMatchObject({ status: 400, parameter: 'cloudflare.api_token' })
    expect((await patch({ 'cloudflare.api_token': null }, stranger)).statusCode).toBe(200)
    await stranger.close()
  })
})

describe('the history', () => {
  test('names every version, newest first, and goes back to one', async () => {
    await patch({ 'company.name': 'First' })
    await patch({ 'company.name': 'Second' })
    await patch({ 'company.name': null })
    const history = await admin().get('/admin/settings/company.name/history')
    expect(history.json().versions).toMatchObject([
      { version: 3, value: null, is_set: false, is_secret: false, actor_name: 'Test custom' },
      { version: 2, value: 'Second', is_set: true },
      { version: 1, value: 'First', is_set: true },
    ])
    const reverted = await admin().post('/admin/settings/company.name/revert', { version: 1 })
    expect(settingOf(reverted, 'company.name')).toMatchObject({ value: 'First', version: 4 })
    expect(one.ctx.config.settings.companyName).toBe('First')
    expect(await auditOf(one, reverted)).toEqual(['Test custom: settings.change done'])
  })

  test('knows neither other settings nor other versions', async () => {
    expect((await admin().get('/admin/settings/company.motto/history')).statusCode).toBe(404)
    expect((await admin().post('/admin/settings/company.motto/revert', { version: 1 })).statusCode).toBe(404)
    expect((await admin().post('/admin/settings/company.name/revert', { version: 9 })).statusCode).toBe(404)
    expect((await admin().post('/admin/settings/company.name/revert', { version: 'x' })).statusCode).toBe(400)
  })
})

describe('what is set', () => {
  test('is told to everybody who is signed in as far as screens need it', async () => {
    const other = await open()
    await insertRows(other.ctx.pool, 'stripe_accounts', [{ id: 'acct_1', default_currency: 'eur' }])
    const ask = async () => (await request(other.ctx).as([]).get('/settings')).json()
    expect(await ask()).toEqual({ company_name: 'Agency Console', time_zone: null, currency: 'eur' })
    await patch({ 'company.time_zone': 'Asia/Tokyo', 'company.currency': 'JPY' }, other)
    expect(await ask()).toEqual({ company_name: 'Agency Console', time_zone: 'Asia/Tokyo', currency: 'jpy' })
    expect((await request(other.ctx).as([]).get('/auth/session')).json()).toMatchObject({ time_zone: 'Asia/Tokyo' })
  })

  test('decides in which currency single figures are', async () => {
    const other = await open()
    const { pool } = other.ctx
    await insertRows(pool, 'stripe_accounts', [{ id: 'acct_1', default_currency: 'usd' }])
    await insertRows(pool, 'customers', [{ id: 'cus_1' }])
    const paid = { customer_id: 'cus_1', amount_captured: 700 }
    await insertRows(pool, 'payments', [
      { id: 'pi_1', ...paid, amount: 700, currency: 'eur' },
      { id: 'pi_2', ...paid, amount: 700, amount_captured: 300, currency: 'usd' },
    ])
    const customer = async () =>
      (await request(other.ctx).as(['customers.read']).get('/stripe/customers')).json().customers[0]
    expect(await customer()).toMatchObject({ total_revenue: 300, currency: 'usd' })
    await patch({ 'company.currency': 'eur' }, other)
    await eventually(async () => expect(await customer()).toMatchObject({ total_revenue: 700, currency: 'eur' }))
    await patch({ 'company.currency': null }, other)
    await eventually(async () => expect(await customer()).toMatchObject({ total_revenue: 300, currency: 'usd' }))
  })

  test('ends sessions that a shorter limit does not allow, in every process', async () => {
    const [first, second] = await createTwoProcesses(secretsEnv)
    opened.push(second, first)
    const stop = second.ctx.instance(createSettingsKeeper).follow(async () => notConnected)
    const session = await signIn(first)
    first.clock.advance(20 * 60_000)
    expect((await getSession(second, session)).statusCode).toBe(200)
    await patch({ 'sessions.idle_minutes': 10 }, first)
    await eventually(async () => {
      const answer = await getSession(second, session)
      expect(answer.statusCode).toBe(401)
      expect(answer.json().detail).toBe('Signed out after 10 minutes without activity.')
    })
    expect(second.ctx.config.settings.idleMinutes).toBe(10)
    const fresh = await signIn(first)
    expect((await getSession(first, fresh)).json().session).toMatchObject({ idle_limit_s: 600, warn_after_s: 300 })
    await stop()
  })

  test('decides how long sign-ins and events are kept', async () => {
    const { ctx } = one
    const old = new Date(one.clock.now() - 31 * 86_400_000)
    const fresh = new Date(one.clock.now() - 29 * 86_400_000)
    const count = async () => {
      const { rows } = await ctx.pool.query<{ tries: number; events: number }>(
        `select (select count(*) from sign_in_attempts where address = 'kept') as tries, (select count(*) from webhook_events) as events`,
      )
      return rows[0]
    }
    await ctx.pool.query(
      `insert into sign_in_attempts (at, address, method, succeeded) select at, 'kept', 'key', true from unnest($1::timestamptz[]) at`,
      [[old, fresh]],
    )
    await ctx.pool.query(
      `insert into webhook_events (id, type, created_at, payload, origin, received_at, state, applied_at)
       select at::text, 'x', at, '{}', 'webhook', at, 'applied', at from unnest($1::timestamptz[]) at`,
      [[old, fresh]],
    )
    const tidy = async () => {
      for (const job of ['auth.sweep', 'mirror.tidy']) await runJob(ctx, job)
    }
    await patch({ 'retention.event_days': 60 })
    await tidy()
    expect(await count()).toEqual({ tries: 2, events: 2 })
    await patch({ 'retention.sign_in_days': 30, 'retention.event_days': 30 })
    await tidy()
    expect(await count()).toEqual({ tries: 1, events: 1 })
  })
})
