import type { Alert } from '@agency/contract/alerts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'

let t: TestContext
let root: Caller
let opened: TestContext | undefined

beforeEach(async () => {
  await opened?.close()
  opened = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  t = opened
  root = request(t.ctx).as('super_admin')
})
afterAll(() => opened?.close())

const minuteMs = 60_000

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)
const evaluate = () => runJob(t.ctx, 'alerts.evaluate')
const pass = async (minutes: number) => {
  t.clock.advance(minutes * minuteMs)
  await evaluate()
}
const setHealth = (ids: string[], health: string, detail = 'Answered with status 500') =>
  sql('update sites set health_status = $2, health_detail = $3, health_checked_at = $4 where id = any($1)', [
    ...[ids, health, detail, new Date(t.clock.now())],
  ])
const listed = async (query = ''): Promise<Alert[]> => (await root.get(`/alerts${query}`)).json().alerts
const notifications = async (): Promise<{ title: string; type: string }[]> =>
  (await root.get('/notifications')).json().notifications
const alertNotices = async () => (await notifications()).filter(({ type }) => type.startsWith('alert.'))
const sitesNamed = async (count: number, fields: Record<string, unknown> = {}) => {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await makeSite(root, fields)).id)
  return ids
}

describe('a site that is down', () => {
  test('opens one alert, tells of it once, and ends it by itself', async () => {
    const [id] = await sitesNamed(1)
    await setHealth([id!], 'down')
    await evaluate()
    await evaluate()
    const [alert, ...others] = await listed()
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      ...{
        rule: 'site.down',
        rule_name: 'Site down',
        subject: 'site',
        subject_id: id,
        severity: 'error',
        status: 'open',
      },
      ...{ detail: 'Answered with status 500', affected_sites: 1, children: 0, link: `/admin/sites?open=${id}` },
    })
    // Others that fail for the same cause would be seen by then.
    expect(await alertNotices()).toEqual([])
    await pass(1)
    await pass(1)
    expect((await alertNotices()).map(({ title }) => title)).toEqual([alert?.title])
    await setHealth([id!], 'healthy', '')
    await pass(1)
    expect(await listed()).toEqual([])
    expect((await listed('?status=resolved'))[0]).toMatchObject({ id: alert?.id, resolved_by: null })
    expect((await alertNotices()).map(({ title }) => title).sort()).toEqual(
      [`Resolved: ${alert?.title}`, alert?.title].sort(),
    )
    const { events } = (await root.get(`/alerts/${alert?.id}`)).json().alert
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'notified', 'resolved'])
  })

  test('that comes and goes is told three times and then no more, and ends once it stays away', async () => {
    const [id] = await sitesNamed(1)
    for (let round = 0; round < 5; round++) {
      await setHealth([id!], 'down')
      await pass(2)
      await pass(1)
      await setHealth([id!], 'healthy')
      await pass(1)
    }
    const [alert] = await listed()
    expect(alert).toMatchObject({ is_flapping: true, status: 'open' })
    const told = (await alertNotices()).filter(({ type }) => type === 'alert.opened')
    expect(told).toHaveLength(3)
    await pass(5)
    expect(await listed()).toHaveLength(1)
    await pass(6)
    expect(await listed()).toEqual([])
  })

  test('in maintenance opens an alert that nobody is told of', async () => {
    const [id] = await sitesNamed(1)
    const planned = await root.post('/maintenance-windows', {
      ...{ title: 'Move to another host', starts_at: '2026-11-21T11:00:00Z', ends_at: '2026-11-21T13:00:00Z' },
      ...{ site_ids: [id], silences: true, excludes_uptime: true },
    })
    expect(planned.json().window).toMatchObject({ state: 'running', sites: [{ id }] })
    await setHealth([id!], 'down')
    await pass(0)
    await pass(2)
    expect(await listed()).toHaveLength(1)
    expect(await alertNotices()).toEqual([])
    await pass(60)
    await pass(1)
    expect(await alertNotices()).toHaveLength(1)
  })

  test('its certificate is a matter of its own', async () => {
    const [id] = await sitesNamed(1)
    await sql(
      `update sites set health_status = 'degraded', health_detail = 'The certificate has expired',
      ssl_status = 'expired', ssl_expires_at = $2 where id = $1`,
      [id, '2026-11-20T00:00:00Z'],
    )
    await evaluate()
    expect((await listed()).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['site.certificate_invalid', 'error'],
    ])
    await sql(`update sites set health_status = 'healthy', ssl_status = 'active', ssl_expires_at = $2 where id = $1`, [
      ...[id, '2026-11-30T12:00:00Z'],
    ])
    await evaluate()
    const [alert] = await listed()
    expect(alert).toMatchObject({ rule: 'site.certificate_expiring', severity: 'warning' })
    expect(alert?.title).toMatch(/expires in 9 days$/)
  })
})

test('the beginning and the end of what is serious go to a channel of errors, of the rest nothing', async () => {
  await root.post('/channels', { kind: 'mail', name: 'Ops', target: 'ops@example.com', min_severity: 'error' })
  const [down, slow] = await sitesNamed(2)
  await setHealth([down!], 'down')
  await sql(`update sites set health_status = 'degraded' where id = $1`, [slow])
  await sql(`update site_probe_states set last = '{"outcome": "slow"}' where site_id = $1`, [slow])
  await pass(0)
  await pass(2)
  await setHealth([down!, slow!], 'healthy')
  await pass(1)
  const { rows } = await sql(`select message ->> 'title' as title from channel_deliveries order by created_at, id`)
  expect(rows.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Site \d+ is down$/),
    expect.stringMatching(/^Resolved: Site \d+ is down$/),
  ])
  expect((await alertNotices()).map(({ type }) => type).sort()).toEqual([
    ...['alert.opened', 'alert.opened', 'alert.resolved', 'alert.resolved'],
  ])
})

describe('several sites at once', () => {
  test('fifty that one cause takes down are one alert that lists the fifty, and one notice', async () => {
    const ids = await sitesNamed(50)
    await sql(`update sites set provider = 'pages'`)
    await setHealth(ids.slice(0, 2), 'down')
    await evaluate()
    t.clock.advance(20_000)
    await setHealth(ids, 'down')
    await evaluate()
    await pass(1)
    await pass(1)
    const [alert, ...others] = await listed()
    expect(others).toEqual([])
    expect(alert).toMatchObject({ rule: 'sites.common_cause', severity: 'critical', children: 50, affected_sites: 50 })
    expect(alert?.title).toBe('50 sites of Cloudflare Pages down')
    expect(await alertNotices()).toHaveLength(1)
    const { child_alerts } = (await root.get(`/alerts/${alert?.id}`)).json().alert
    expect(child_alerts).toHaveLength(50)

    await setHealth(ids.slice(1), 'healthy')
    await pass(1)
    expect((await listed()).map(({ title }) => title)).toEqual(['1 site of Cloudflare Pages down'])
    await setHealth(ids, 'healthy')
    await pass(1)
    expect(await listed()).toEqual([])
    expect(await alertNotices()).toHaveLength(2)
  })

  test('two of many share nothing', async () => {
    const ids = await sitesNamed(12)
    await setHealth(ids.slice(0, 2), 'down')
    await evaluate()
    expect((await listed()).map(({ rule }) => rule)).toEqual(['site.down', 'site.down'])
  })

  test('when the way out is dead there is one alert, about the console', async () => {
    await sitesNamed(3)
    await sql(`insert into instance_settings (key, value) values ('probes.outage', $1)`, [
      JSON.stringify({ since: '2026-11-21T11:55:00Z', detail: 'The network cannot be reached' }),
    ])
    await evaluate()
    expect((await listed()).map(({ rule, severity }) => [rule, severity])).toEqual([['console.way_out', 'critical']])
    expect(await alertNotices()).toHaveLength(1)
  })
})

describe('what is not known any more', () => {
  test('is not over: alerts of sites, groups and services stand until the cause was seen to be gone', async () => {
    const ids = await sitesNamed(4)
    await sql(
      `update monitored_services set status = 'unhealthy', detail = 'It fails', checked_at = $1 where key = 'stripe'`,
      [new Date(t.clock.now())],
    )
    await setHealth(ids.slice(0, 3), 'down')
    await evaluate()
    const standing = (await listed()).map(({ rule }) => rule).sort()
    expect(standing).toEqual(['service.unhealthy', 'sites.common_cause'])
    await setHealth(ids, 'unknown')
    await pass(5)
    expect((await listed()).map(({ rule }) => rule).sort()).toEqual(standing)
    expect((await alertNotices()).filter(({ title }) => title.startsWith('Resolved'))).toEqual([])
    await setHealth(ids, 'healthy')
    await sql(`update monitored_services set status = 'healthy', checked_at = $1 where key = 'stripe'`, [
      new Date(t.clock.now()),
    ])
    await pass(0)
    expect(await listed()).toEqual([])
  })

  test('but a site that was deleted or taken offline has no alert any more', async () => {
    const [gone, offline] = await sitesNamed(2)
    await setHealth([gone!, offline!], 'down')
    await evaluate()
    await sql(`update sites set status = 'deleted', deleted_at = now() where id = $1`, [gone])
    await sql(`update sites set at_provider = 'offline', health_status = 'unknown' where id = $1`, [offline])
    await evaluate()
    expect(await listed()).toEqual([])
  })
})

describe('whoever looks after it', () => {
  async function down(): Promise<Alert> {
    const [id] = await sitesNamed(1)
    await setHealth([id!], 'down')
    await evaluate()
    return (await listed())[0]!
  }

  test('acknowledges, assigns, snoozes and resolves it, each written down', async () => {
    const alert = await down()
    const ada = await createPerson(t, { role: 'admin' })
    expect((await root.post(`/alerts/${alert.id}/acknowledge`)).json().alert).toMatchObject({
      ...{ status: 'acknowledged', acknowledged_by: 'Test super_admin' },
    })
    expect((await root.post(`/alerts/${alert.id}/assign`, { user_id: ada.id })).json().alert.assignee_name).toBe(
      ada.name,
    )
    const until = '2026-11-21T13:00:00Z'
    expect((await root.post(`/alerts/${alert.id}/snooze`, { until })).json().alert).toMatchObject({
      ...{ status: 'snoozed', snoozed_until: until },
    })
    await pass(61)
    expect((await listed())[0]).toMatchObject({ status: 'open', snoozed_until: null })
    const resolved = await root.post(`/alerts/${alert.id}/resolve`, { reason: 'Known and harmless' })
    expect(resolved.json().alert).toMatchObject({ status: 'resolved', resolved_by: 'Test super_admin' })
    // Its cause still stands: it stays resolved until it was away once.
    await pass(1)
    expect(await listed()).toEqual([])
    await setHealth([alert.subject_id], 'healthy')
    await pass(1)
    await setHealth([alert.subject_id], 'down')
    await pass(20)
    expect(await listed()).toHaveLength(1)
    const actions = (await sql(`select action from audit_entries where resource_type = 'alert' order by id`)).rows
    expect(actions.map(({ action }) => action)).toEqual([
      ...['alert.acknowledge', 'alert.assign', 'alert.snooze', 'alert.resolve'],
    ])
  })

  test('is refused what makes no sense, and nothing changes', async () => {
    const alert = await down()
    const statusOf = async (path: string, body?: unknown) =>
      (await root.post(`/alerts/${alert.id}/${path}`, body)).statusCode
    expect(await statusOf('snooze', { until: '2026-11-21T11:00:00Z' })).toBe(400)
    expect(await statusOf('snooze', { until: '2026-12-01T11:00:00Z' })).toBe(400)
    expect(await statusOf('assign', { user_id: 'nobody' })).toBe(400)
    expect((await root.post('/alerts/none/acknowledge')).statusCode).toBe(404)
    expect((await listed())[0]).toMatchObject({ status: 'open', assignee_id: null })
    await root.post(`/alerts/${alert.id}/resolve`)
    expect(await statusOf('acknowledge')).toBe(409)
    const support = request(t.ctx).as('support')
    expect((await support.post(`/alerts/${alert.id}/acknowledge`)).statusCode).toBe(403)
    expect((await request(t.ctx).as('readonly').get('/alerts')).statusCode).toBe(403)
  })
})

describe('a rule', () => {
  test('switched off ends its alerts; muted it tells nobody', async () => {
    const [id] = await sitesNamed(1)
    await setHealth([id!], 'down')
    const muted = await root.patch('/alert-rules/site.down', { version: 0, muted_until: '2026-11-21T13:00:00Z' })
    expect(muted.json().rule).toMatchObject({ muted_until: '2026-11-21T13:00:00.000Z', version: 1 })
    await evaluate()
    await pass(2)
    expect(await listed()).toHaveLength(1)
    expect(await alertNotices()).toEqual([])
    await pass(60)
    expect(await alertNotices()).toHaveLength(1)
    await root.patch('/alert-rules/site.down', { version: 1, is_enabled: false })
    await t.runJobs()
    expect(await listed()).toEqual([])
  })

  test('takes a version that is the newest, and a threshold within its limits', async () => {
    const patch = async (body: object) => (await root.patch('/alert-rules/console.cpu_percent', body)).statusCode
    expect(await patch({ version: 0, threshold: 90 })).toBe(200)
    expect(await patch({ version: 0, threshold: 95 })).toBe(409)
    expect(await patch({ version: 1, threshold: 0 })).toBe(400)
    expect(await patch({ version: 1, muted_until: '2027-03-01T00:00:00Z' })).toBe(400)
    expect((await root.patch('/alert-rules/site.down', { version: 0, threshold: 3 })).statusCode).toBe(400)
    expect((await root.patch('/alert-rules/none', { version: 0 })).statusCode).toBe(404)
    const admin = request(t.ctx).as('admin')
    expect((await admin.patch('/alert-rules/site.down', { version: 0, is_enabled: false })).statusCode).toBe(403)
    const rule = (await root.get('/alert-rules'))
      .json()
      .rules.find(({ key }: { key: string }) => key === 'console.cpu_percent')
    expect(rule).toMatchObject({ threshold: { value: 90, default: 80 }, version: 1, can_try: true })
  })

  test('alarms above its threshold, and can be tried on the past', async () => {
    const at = (minutes: number) => new Date(t.clock.now() + minutes * minuteMs)
    const insert = (metric: string, minutes: number, value: number) =>
      sql('insert into metric_minutes (metric, minute, value, max) values ($1, $2, $3, $3)', [
        metric,
        at(minutes),
        value,
      ])
    for (let minute = -60; minute < 0; minute++)
      await insert('cpu_percent', minute, minute >= -5 || (minute >= -40 && minute < -30) ? 95 : 20)
    await evaluate()
    expect((await listed()).map(({ rule, title }) => [rule, title])).toEqual([['console.cpu_percent', 'CPU above 80%']])
    const trial = async (threshold: number) =>
      (await root.get(`/alert-rules/console.cpu_percent/trial?threshold=${threshold}`)).json().trial
    expect(await trial(90)).toMatchObject({ days: 30, fired: 2, measured_since: '2026-11-21T11:00:00.000Z' })
    expect((await trial(90)).examples[0]).toMatchObject({
      from: '2026-11-21T11:20:00.000Z',
      until: '2026-11-21T11:30:00.000Z',
      peak: 95,
    })
    expect((await trial(99)).fired).toBe(0)
    expect((await root.get('/alert-rules/console.cpu_percent/trial?threshold=101')).statusCode).toBe(400)
  })
})

describe('revenue at risk', () => {
  test('counts a customer of several sites once, per currency, with what renews soon; only for whoever sees money', async () => {
    const seed = async (id: string, subscriptions: [string, number, string][]) => {
      await insertRows(t.ctx.pool, 'customers', [{ id, name: id, email: `${id}@example.com` }])
      for (const [index, [currency, amount, end]] of subscriptions.entries())
        await insertRows(t.ctx.pool, 'subscriptions', [
          {
            ...{ id: `sub_${id}_${index}`, customer_id: id, currency, amount, mrr: amount, mrr_running: amount },
            current_period_end: end,
          },
        ])
    }
    await seed('cus_a', [
      ['usd', 4900, '2026-11-24T00:00:00Z'],
      ['eur', 2500, '2026-12-15T00:00:00Z'],
    ])
    await seed('cus_b', [['usd', 9900, '2027-03-01T00:00:00Z']])
    await seed('cus_c', [['usd', 100_000, '2026-11-22T00:00:00Z']])
    const mine = await sitesNamed(2, { customer_id: 'cus_a' })
    const [other] = await sitesNamed(1, { customer_id: 'cus_b' })
    await sitesNamed(1, { customer_id: 'cus_c' })
    await setHealth([...mine, other!], 'down')
    await evaluate()
    const [group] = await listed()
    expect(group).toMatchObject({ rule: 'sites.common_cause', affected_sites: 3, affected_customers: 2 })
    expect(group?.at_risk).toEqual([
      { currency: 'usd', mrr: 14_800, renewals_7d: 4900, renewals_30d: 4900 },
      { currency: 'eur', mrr: 2500, renewals_7d: 0, renewals_30d: 2500 },
    ])
    const support = await request(t.ctx).as('support').get('/alerts')
    expect(support.json().alerts[0].at_risk).toBeNull()
  })
})
