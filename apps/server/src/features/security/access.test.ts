import type { SecurityFinding } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { checkProxy, checkTransport } from '../../commands/doctor/settings.ts'
import { loadConfig } from '../../config.ts'
import { createProxyWatch, findUntrustedProxy, plainTransport } from './index.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let one: TestContext
let two: TestContext
beforeAll(async () => {
  one = await createTestContext({ env: secretsEnv })
  two = await createTestContext({ env: { ...secretsEnv, TRUST_PROXY: '10.0.0.5' } })
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

async function findingOf({ ctx }: TestContext, id: string): Promise<SecurityFinding | undefined> {
  const { run } = (await request(ctx).as('super_admin').post('/admin/security/checks')).json()
  return run.findings.find((finding: SecurityFinding) => finding.id === id)
}

describe('forwarded headers of a peer that is not trusted', () => {
  const seenAt = async ({ ctx }: TestContext) => {
    const { rows } = await ctx.pool.query<{ at: Date; peer: string }>(
      `select updated_at as at, value ->> 'peer' as peer from instance_settings where key = 'proxy.untrusted'`,
    )
    return rows[0]
  }
  const ask = ({ ctx }: TestContext, from: string, headers: Record<string, string> = {}) =>
    request(ctx).anonymous(from).get('/auth/session', headers)

  beforeEach(async () => {
    for (const { ctx, clock } of [one, two]) {
      clock.advance(2 * hourMs)
      await ctx.pool.query(`delete from instance_settings where key = 'proxy.untrusted'`)
    }
  })

  test.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'console.example.com'],
    ['x-real-ip', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9;proto=https'],
  ])('are told: %s', async (name, value) => {
    await ask(one, '10.0.0.5')
    expect(await findingOf(one, 'proxy')).toMatchObject({ state: 'ok' })
    await ask(one, '10.0.0.5', { [name]: value })
    await expect.poll(() => seenAt(one)).toMatchObject({ peer: '10.0.0.5' })
    expect(await findingOf(one, 'proxy')).toMatchObject({
      state: 'warning',
      finding: expect.stringContaining('Requests from 10.0.0.5 carry forwarded headers'),
      advice: expect.stringContaining('TRUST_PROXY=10.0.0.5'),
    })
  })

  test('are told by the doctor, until TRUST_PROXY is another or a week is over', async () => {
    const { ctx, clock } = one
    await createProxyWatch({ ...ctx, clock: Date.now }).note('::1')
    const database = { kysely: ctx.db, pool: ctx.pool }
    expect(await checkProxy(database, ctx.config)).toMatchObject({
      state: 'warn',
      says: expect.stringContaining('Requests from ::1'),
      todo: expect.stringContaining('TRUST_PROXY=::1'),
    })
    expect(await checkProxy(database, { ...ctx.config, trustProxy: ['::1'] })).toMatchObject({ state: 'ok' })
    await ctx.pool.query('update instance_settings set updated_at = $1', [new Date(clock.now() - 7 * dayMs + hourMs)])
    expect(await findUntrustedProxy(ctx)).toMatchObject({ isNear: true })
    clock.advance(2 * hourMs)
    expect(await findUntrustedProxy(ctx)).toBeNull()
  })

  test('are written down once an hour', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await ask(one, '10.0.0.5', headers)
    await expect.poll(() => seenAt(one)).toBeDefined()
    const first = await seenAt(one)
    one.clock.advance(hourMs - 60_000)
    await ask(one, '10.0.0.6', headers)
    expect(await findingOf(one, 'proxy')).toMatchObject({ state: 'warning' })
    expect(await seenAt(one)).toEqual(first)
    one.clock.advance(60_000)
    await ask(one, '10.0.0.6', headers)
    await expect.poll(() => seenAt(one)).toMatchObject({ peer: '10.0.0.6' })
  })

  test('of a stranger are advice, and do not hide a peer nearby', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    await ask(one, '8.8.4.4', headers)
    await expect.poll(() => seenAt(one)).toMatchObject({ peer: '8.8.4.4' })
    expect(await findingOf(one, 'proxy')).toMatchObject({ state: 'advice' })
    await ask(one, '10.0.0.5', headers)
    await expect.poll(() => seenAt(one)).toMatchObject({ peer: '10.0.0.5' })
    one.clock.advance(hourMs)
    await createProxyWatch(one.ctx).note('8.8.4.4')
    expect(await findingOf(one, 'proxy')).toMatchObject({ finding: expect.stringContaining('10.0.0.5') })
  })

  test('that TRUST_PROXY names are not told; those of another are', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await ask(two, '10.0.0.5', headers)
    await ask(two, '10.0.0.7')
    expect(await findingOf(two, 'proxy')).toMatchObject({ state: 'ok', finding: expect.stringContaining('10.0.0.5') })
    expect(await seenAt(two)).toBeUndefined()
    await ask(two, '10.0.0.7', headers)
    await expect.poll(() => seenAt(two)).toMatchObject({ peer: '10.0.0.7' })
  })
})

describe('plain HTTP', () => {
  test.each([
    [{}, null],
    [{ HOST: '::1' }, null],
    [{ HOST: '127.0.0.2' }, null],
    [{ PUBLIC_URL: 'http://localhost:3000' }, null],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://console.example.com' }, null],
    [{ HOST: '0.0.0.0' }, 'The console listens on 0.0.0.0 over plain HTTP'],
    [{ HOST: '::' }, 'The console listens on :: over plain HTTP'],
    [{ HOST: '192.168.0.4', PUBLIC_URL: 'http://localhost:3000' }, 'The console listens on 192.168.0.4'],
    [{ PUBLIC_URL: 'http://console.example.com' }, 'The public address http://console.example.com is not encrypted'],
  ])('of %o: %s', (env: Record<string, string>, words) => {
    const config = loadConfig(env, false)
    const plain = plainTransport(config)
    expect(plain?.finding.slice(0, words?.length) ?? null).toBe(words)
    expect(checkTransport(config)).toMatchObject(
      plain ? { state: 'warn', says: plain.finding, todo: plain.advice } : { state: 'ok' },
    )
  })

  test('beyond this machine is told by the security check', async () => {
    expect(await findingOf(one, 'transport')).toMatchObject({ state: 'advice' })
    const exposed = await createTestContext({ env: { ...secretsEnv, HOST: '0.0.0.0' } })
    expect(await findingOf(exposed, 'transport')).toMatchObject({
      state: 'warning',
      finding: expect.stringContaining('listens on 0.0.0.0 over plain HTTP'),
      advice: expect.stringContaining('Address of this console'),
    })
    await exposed.close()
  })
})
