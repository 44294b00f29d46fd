import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite, put } from '../../../test/sites.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The 1st of a month, in the morning. */
const now = Date.parse('2026-11-01T06:10:00Z')
const lastDay = Date.parse('2026-10-31T00:00:00Z')
let server: MailServer
let t: TestContext
let root: Caller

beforeAll(async () => {
  server = await startMailServer()
  const env = { ...secretsEnv, SMTP_URL: server.url, MAIL_FROM: 'Agency <console@example.com>' }
  t = await createTestContext({ env, now: new Date(now).toISOString() })
  root = request(t.ctx).as('super_admin')
})
beforeEach(() => {
  t.clock.set(now)
  server.received.length = 0
})
afterAll(async () => {
  await t?.close()
  await server?.stop()
})

let made = 0

/** A customer with one site, looked at on the last day of October alone: 30 minutes down, one hour of maintenance. */
async function customer(name: string, wantsReport = false) {
  made++
  const id = `cus_${randomUUID()}`
  await insertRows(t.ctx.pool, 'customers', [{ id, name, email: `owner-${made}@example.com` }])
  const site = await makeSite(root)
  await t.ctx.pool.query('update sites set customer_id = $2, created_at = $3 where id = $1', [
    ...[site.id, id, new Date('2026-10-01T00:00:00Z')],
  ])
  await addLooks(
    t,
    site.id,
    every(minute, lastDay, lastDay + day).map((look) => ({
      ...look,
      ms: 200,
      health: look.at >= lastDay + 10 * hour && look.at < lastDay + 10.5 * hour ? 'down' : 'healthy',
      maintenance: look.at >= lastDay + 20 * hour && look.at < lastDay + 21 * hour,
    })),
  )
  if (wantsReport) {
    t.clock.set('2026-10-15T00:00:00Z')
    await put(root, `/stripe/customers/${id}/mail-choices`, { version: 0, gets_uptime_report: true })
    t.clock.set(now)
  }
  await t.ctx.pool.query('delete from site_probe_progress')
  await runJob(t.ctx, 'probes.roll_up')
  return { id, site, email: `owner-${made}@example.com` }
}

const report = async (id: string, query = '') =>
  (await root.get(`/stripe/customers/${id}/uptime-report${query}`)).json()

describe('the report of a month', () => {
  test('has the figures with their accounting, of their own sites alone', async () => {
    const { id, site } = await customer('Harbour "Bakery" <b>')
    const { site: foreign } = await customer('Orchard Farm')
    const { report: found } = await report(id)
    // A day without an hour of maintenance: 82 800 s, of which 1800 down.
    expect(found).toMatchObject({ month: '2026-10', file_name: 'uptime-harbour-bakery-b-2026-10.html', sites: 1 })
    expect(found.uptime_percent).toBeCloseTo((100 * (82_800 - 1800)) / 82_800, 10)
    expect(found.down_seconds).toBe(1800)
    const { html } = found
    for (const text of [
      'Uptime report, October 2026',
      site.domain,
      '97.826%',
      '30 min',
      '1 h 0 min',
      '30 d 0 h',
      '200 ms',
    ])
      expect(html).toContain(text)
    expect(html).toContain('Harbour &quot;Bakery&quot; &lt;b&gt;')
    for (const hidden of [foreign.domain, 'Orchard', '<script', '<b>', 'src=']) expect(html).not.toContain(hidden)
  })

  test('lists outages without false positives, incidents by their public words, and deployments', async () => {
    const { id, site } = await customer('Cove')
    const about = async (isFalse: boolean, title: string, from: number) => {
      const { incident } = (await root.post('/incidents', { title, severity: 'sev3' })).json()
      await t.ctx.pool.query(
        'update incidents set opened_at = $2, resolved_at = $3, status = $4, is_false_positive = $5 where id = $1',
        [...[incident.id, new Date(from), new Date(from + 30 * minute), 'resolved', isFalse]],
      )
      const alert = randomUUID()
      await t.ctx.pool.query(
        `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
           last_seen_at, incident_id, resolved_at)
         values ($1, 'site.down', 'site', $2, '', 'error', 'resolved', 'Down', '', $3, $3, $4, $5)`,
        [alert, site.id, new Date(from), incident.id, new Date(from + 30 * minute)],
      )
      await t.ctx.pool.query(
        'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
        [alert, site.id],
      )
      return incident.id as string
    }
    const real = await about(false, 'Secret title', lastDay + 10 * hour)
    const marked = await about(true, 'Never was', lastDay + 15 * hour)
    for (const incident of [real, marked])
      await root.post(`/incidents/${incident}/public-updates`, { text: `Said of ${incident}` })
    const { report: found } = await report(id, '?month=2026-10')
    expect(found.outages).toBe(1)
    expect(found.html).toContain('October 31, 2026 at 10:00 AM UTC')
    expect(found.html).not.toContain('October 31, 2026 at 3:00 PM UTC')
    expect(found.html).toContain(`Said of ${real}`)
    for (const hidden of [`Said of ${marked}`, 'Secret title', 'Never was']) expect(found.html).not.toContain(hidden)
  })

  test('lists an outage that maintenance went on with, and none that began in it', async () => {
    const { id, site } = await customer('Pier')
    for (const [from, until] of [
      [19, 20.5],
      [20.2, 20.8],
    ] as const) {
      await t.ctx.pool.query(
        `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
           last_seen_at, resolved_at, is_silenced)
         values ($1, 'site.down', 'site', $2, '', 'error', 'resolved', 'Down', '', $3, $4, $4, true)`,
        [randomUUID(), site.id, new Date(lastDay + from * hour), new Date(lastDay + until * hour)],
      )
    }
    const { report: found } = await report(id)
    expect(found.outages).toBe(1)
    expect(found.html).toContain('October 31, 2026 at 7:00 PM UTC')
  })

  test('of a month that is not over says so; of one to come, or long gone, there is none', async () => {
    const { id } = await customer('Quarry')
    expect((await report(id, '?month=2026-11')).report.html).toContain('figures until November 1, 2026 at 6:10 AM UTC')
    for (const month of ['2026-12', '2025-09', '2026-13', 'x'])
      expect((await root.get(`/stripe/customers/${id}/uptime-report?month=${month}`)).statusCode).toBe(400)
    expect((await root.get('/stripe/customers/cus_nobody/uptime-report')).statusCode).toBe(404)
  })
})

describe('by mail', () => {
  test('on the 1st, once, to those for whom it is switched on', async () => {
    const wanted = await customer('Wants', true)
    await customer('Does not')
    await runJob(t.ctx, 'uptime-reports.send')
    await runJob(t.ctx, 'uptime-reports.send')
    await t.runJobs()
    expect(server.received.map(({ to }) => to)).toEqual([[wanted.email]])
    expect(server.received[0]?.raw).toContain('Subject: Agency Console: uptime report, October 2026')
    expect(server.received[0]?.raw).toContain(wanted.site.domain)
    t.clock.advance(day)
    await runJob(t.ctx, 'uptime-reports.send')
    await t.runJobs()
    expect(server.received).toHaveLength(1)
  })

  test('what was missed on the 1st is sent later, and nobody gets one of before they wanted it', async () => {
    const missed = await customer('Missed', true)
    t.clock.set(now + 2 * day)
    const late = await customer('Late')
    t.clock.set(now + 2 * day)
    await put(root, `/stripe/customers/${late.id}/mail-choices`, { version: 0, gets_uptime_report: true })
    await runJob(t.ctx, 'uptime-reports.send')
    await t.runJobs()
    expect(server.received.map(({ to }) => to)).toEqual([[missed.email]])
  })
})
