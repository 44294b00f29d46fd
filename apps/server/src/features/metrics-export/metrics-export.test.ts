import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv, now: '2026-11-21T12:00:00Z' })
  root = request(t.ctx).as('super_admin')
})
afterAll(() => t?.close())

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)

/** Made by somebody who stays. */
async function keyWith(permissions: string[]): Promise<string> {
  const maker = await addPerson(t, { role: 'super_admin' })
  const answer = await request(t.ctx)
    .withKey(maker.key)
    .post('/admin/api-keys', { name: permissions.join(), permissions })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().key
}

const scrape = (key: string | null, url = '/metrics') =>
  request(t.ctx)
    .anonymous()
    .inject({ method: 'GET', url, headers: key === null ? {} : { authorization: `Bearer ${key}` } })

/** Lines of the text format: `name{labels}` → value. */
const linesOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

describe('who may read it', () => {
  test('is a key with its scope, and nobody else', async () => {
    expect((await scrape(null)).statusCode).toBe(401)
    expect((await scrape('ak_nothing')).statusCode).toBe(401)
    const other = await keyWith(['sites.read'])
    expect((await scrape(other)).statusCode).toBe(403)
    const person = await addPerson(t, { role: 'super_admin' })
    expect((await scrape(person.key)).statusCode).toBe(403)
    const own = await keyWith(['metrics.read'])
    for (const url of ['/metrics', '/api/metrics']) expect((await scrape(own, url)).statusCode).toBe(200)
  })

  test('can do nothing else with that key, and its scope is listed', async () => {
    const key = await keyWith(['metrics.read'])
    expect((await scrape(key, '/api/sites')).statusCode).toBe(403)
    const { keys } = (await root.get('/admin/api-keys')).json()
    // Those made at the same moment are listed in no order.
    const own = keys.find(({ name }: { name: string }) => name === 'metrics.read')
    expect(own).toMatchObject({ permissions: ['metrics.read'], effective_permissions: ['metrics.read'] })
  })
})

test('says what was measured, in the text format and in base units, without a line for each site', async () => {
  const sites = [await makeSite(root), await makeSite(root), await makeSite(root)]
  await sql(`update sites set health_status = 'down' where id = $1`, [sites[0]?.id])
  await sql(`update sites set health_status = 'healthy' where id = $1`, [sites[1]?.id])
  await sql(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at, last_seen_at)
     values ('a', 'site.down', 'site', 's', 'S', 'error', 'open', 'T', '', now(), now())`,
  )
  await sql(
    `insert into metric_minutes (metric, minute, value, max) values
       ('cpu_percent', $1, 99, 99), ('cpu_percent', $2, 42, 50), ('event_loop_p99_ms', $3, 7, 7)`,
    ['2026-11-21T11:58:00Z', '2026-11-21T11:59:00Z', '2026-11-21T11:00:00Z'],
  )
  const key = await keyWith(['metrics.read'])
  await scrape(key)
  const answer = await scrape(key)
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  const lines = linesOf(answer.body)
  expect(lines).toMatchObject({
    agency_cpu_ratio: 0.42,
    'agency_alerts_open{severity="error"}': 1,
    'agency_alerts_open{severity="critical"}': 0,
    'agency_sites{state="down"}': 1,
    'agency_sites{state="healthy"}': 1,
    'agency_sites{state="degraded"}': 0,
    agency_webhooks_pending: 0,
    agency_webhook_lag_seconds: 0,
    'agency_http_errors_total{method="GET",route="/metrics"}': 0,
  })
  expect(lines['agency_http_requests_total{method="GET",route="/metrics"}']).toBeGreaterThan(0)
  expect(lines['agency_http_request_duration_seconds{method="GET",route="/metrics",quantile="0.95"}']).toBeLessThan(10)
  expect(lines['agency_pool_connections']).toBeGreaterThan(0)
  // Too old, and never measured: no line says 0.
  expect(Object.keys(lines)).not.toContain('agency_event_loop_delay_p99_seconds')
  expect(Object.keys(lines)).not.toContain('agency_mirror_age_seconds')
  for (const site of sites) expect(answer.body).not.toContain(site.domain)
  expect(Object.keys(lines).every((name) => name.startsWith('agency_'))).toBe(true)
  for (const name of new Set(Object.keys(lines).map((line) => line.replace(/\{.*/, ''))))
    expect(answer.body).toMatch(new RegExp(`# TYPE ${name} (gauge|counter)`))
})
