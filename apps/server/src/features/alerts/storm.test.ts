import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { insertSite } from '../../../test/deployment-rows.ts'
import { request } from '../../../test/request.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
})
afterAll(() => t?.close())

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)
let sites = 0

async function addSites(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await insertSite(t.ctx.pool, { id: `site_${String(++sites).padStart(16, '0')}`, createdAt: '2026-01-01T00:00:00Z' })
}
const setHealth = (health: string) => sql('update sites set health_status = $1, health_detail = $1', [health])

/** How many statements an evaluation takes, its notices with it. */
async function countStatements(): Promise<number> {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await runJob(t.ctx, 'alerts.evaluate')
    return query.mock.calls.length
  } finally {
    query.mockRestore()
  }
}

/** One after the other: they fail, stay so for a minute, come back, and fail again. */
async function countOutage(): Promise<number[]> {
  const counts: number[] = []
  const pass = async () => {
    t.clock.advance(60_000)
    counts.push(await countStatements())
  }
  for (const health of ['down', 'down', 'healthy', 'down', 'healthy']) {
    await setHealth(health)
    await pass()
  }
  // What failed before would be the same again.
  t.clock.advance(2 * 3_600_000)
  return counts
}

const stand = async (where: string) => (await sql(`select count(*)::int as n from alerts where ${where}`)).rows[0].n

test('a hundred sites that fail together take no statement each, so that nobody waits to acknowledge one', async () => {
  await addSites(5)
  await countOutage()
  const few = await countOutage()
  await addSites(95)
  const many = await countOutage()
  const more = many.map((count, phase) => count - (few[phase] ?? 0))
  // One for each site would be 95 more.
  expect(Math.max(...more)).toBeLessThan(20)
  expect(Math.min(...few)).toBeGreaterThan(10)
  expect(await stand(`opened_at > '2026-11-21T16:00:00Z' and cause_id is not null and status = 'resolved'`)).toBe(100)
})

test('what is muted keeps nobody from hearing of the rest', async () => {
  const root = request(t.ctx).as('super_admin')
  const until = new Date(t.clock.now() + 86_400_000).toISOString()
  await root.patch('/alert-rules/site.down', { version: 0, muted_until: until })
  await root.patch('/alert-rules/sites.common_cause', { version: 0, is_enabled: false })
  await setHealth('down')
  await runJob(t.ctx, 'alerts.evaluate')
  t.clock.advance(60_000)
  await addSites(1)
  await sql(`update sites set ssl_status = 'error' where health_status is distinct from 'down'`)
  await runJob(t.ctx, 'alerts.evaluate')
  t.clock.advance(60_000)
  await runJob(t.ctx, 'alerts.evaluate')
  expect(await stand(`rule = 'site.down' and status = 'open' and notified_at is null`)).toBe(100)
  expect(await stand(`rule = 'site.certificate_invalid' and notified_at is not null`)).toBe(1)
})
