import { randomUUID } from 'node:crypto'
import type { Incident, IncidentDetails } from '@agency/contract/incidents'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite, put } from '../../../test/sites.ts'

let t: TestContext
let root: Caller
let current: TestContext | undefined

beforeEach(async () => {
  await current?.close()
  current = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  t = current
  root = request(t.ctx).as('super_admin')
})
afterAll(() => current?.close())

const minuteMs = 60_000
const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)
const pass = async (minutes: number) => {
  t.clock.advance(minutes * minuteMs)
  await runJob(t.ctx, 'alerts.evaluate')
}
const setHealth = (ids: string[], health: string) =>
  sql('update sites set health_status = $2, health_detail = $3, health_checked_at = $4 where id = any($1)', [
    ...[ids, health, 'Answered with status 500', new Date(t.clock.now())],
  ])
const listed = async (query = ''): Promise<Incident[]> => (await root.get(`/incidents${query}`)).json().incidents
const details = async (id: string): Promise<IncidentDetails> => (await root.get(`/incidents/${id}`)).json().incident
const kinds = async (id: string) => (await details(id)).events.map(({ kind }) => kind)
const sites = async (count: number) => {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await makeSite(root)).id)
  return ids
}
/** Sites of which the first ones are down, and the incident that came of it. */
async function down(count = 1, of = 1): Promise<{ ids: string[]; incident: Incident }> {
  const ids = await sites(of)
  await setHealth(ids.slice(0, count), 'down')
  await pass(0)
  await pass(1)
  return { ids: ids.slice(0, count), incident: (await listed())[0]! }
}

describe('by itself', () => {
  test('a site that is down opens a sev3, which ends with it', async () => {
    const { ids, incident } = await down(1, 8)
    expect(incident).toMatchObject({
      ...{
        number: 1,
        severity: 'sev3',
        status: 'open',
        opened_by: null,
        affected_sites: 1,
        active_alerts: 1,
        version: 1,
      },
      opened_at: '2026-11-21T12:00:00Z',
    })
    await setHealth(ids, 'healthy')
    await pass(1)
    expect(await listed()).toEqual([])
    const [over] = await listed('?status=resolved')
    expect(over).toMatchObject({ id: incident.id, resolved_by: null, resolved_at: '2026-11-21T12:02:00Z' })
    expect(await kinds(incident.id)).toEqual(['opened', 'alert_resolved', 'resolved'])
  })

  test('what comes back at once goes on in the same incident', async () => {
    const { ids, incident } = await down(1, 8)
    await setHealth(ids, 'healthy')
    await pass(1)
    await setHealth(ids, 'down')
    await pass(1)
    expect((await listed()).map(({ id }) => id)).toEqual([incident.id])
    expect(await kinds(incident.id)).toEqual(['opened', 'alert_resolved', 'resolved', 'reopened'])
  })

  test('several sites are one: sev2, and sev1 from a quarter of all on', async () => {
    const { incident } = await down(4, 8)
    expect(incident).toMatchObject({ severity: 'sev1', affected_sites: 4 })
    expect(await listed()).toHaveLength(1)
    expect((await details(incident.id)).alerts).toHaveLength(5)
  })

  test('an incident of its own is merged once the larger failure is seen', async () => {
    const ids = await sites(6)
    await setHealth(ids.slice(0, 1), 'down')
    await pass(0)
    await pass(2)
    const [first] = await listed()
    await setHealth(ids, 'down')
    await pass(1)
    const [group, ...others] = await listed()
    expect(others).toEqual([])
    expect(group?.severity).toBe('sev1')
    expect(await details(first!.id)).toMatchObject({ status: 'merged', merged_into: group?.id })
  })

  test('the database itself is a sev1; a degraded site a sev4', async () => {
    await sql(
      `insert into monitored_services (key, status, detail, checked_at) values ('database', 'unhealthy', 'It does not answer', $1)
      on conflict (key) do update set status = excluded.status, detail = excluded.detail, checked_at = excluded.checked_at`,
      [new Date(t.clock.now())],
    )
    const [id] = await sites(1)
    await sql(`update sites set health_status = 'degraded', ssl_status = 'expired' where id = $1`, [id])
    await pass(0)
    await pass(1)
    expect((await listed('?sort=severity')).map(({ severity }) => severity)).toEqual(['sev1', 'sev4'])
  })
})

describe('by hand', () => {
  test('is opened once for a key, changed by its version, and resolved with its alerts', async () => {
    const { incident: own } = await down(1, 8)
    const [alert] = (await root.get('/alerts')).json().alerts
    const headers = { 'idempotency-key': randomUUID() }
    const body = { title: 'Checkout broken', severity: 'sev2', alert_ids: [alert.id] }
    const opened = (await root.post('/incidents', body, headers)).json().incident
    expect((await root.post('/incidents', body, headers)).json().incident.id).toBe(opened.id)
    expect(opened).toMatchObject({ number: 2, opened_by: 'Test super_admin', active_alerts: 1 })
    expect((await details(own.id)).alerts).toEqual([])
    const ada = await createPerson(t, { role: 'admin' })
    const changed = await root.patch(`/incidents/${opened.id}`, {
      ...{ version: 1, status: 'investigating', severity: 'sev1', assignee_id: ada.id },
    })
    expect(changed.json().incident).toMatchObject({ status: 'investigating', assignee_name: ada.name, version: 2 })
    expect((await root.patch(`/incidents/${opened.id}`, { version: 1, status: 'identified' })).statusCode).toBe(409)
    await root.patch(`/incidents/${opened.id}`, { version: 2, status: 'resolved' })
    expect((await root.get('/alerts')).json().alerts).toEqual([])
    expect(await kinds(opened.id)).toEqual(['opened', 'alert_joined', 'severity', 'assigned', 'status', 'resolved'])
    const audited = (await sql(`select action from audit_entries where resource_type = 'incident' order by id`)).rows
    expect(audited.map(({ action }) => action)).toEqual(['incident.open', 'incident.update', 'incident.update'])
  })

  test('a false positive is marked so, and says so in its timeline', async () => {
    const { incident } = await down(1, 8)
    const answer = await root.patch(`/incidents/${incident.id}`, { version: 1, is_false_positive: true })
    expect(answer.json().incident.is_false_positive).toBe(true)
    expect((await details(incident.id)).events.at(-1)).toMatchObject({
      ...{ kind: 'false_positive', actor: 'Test super_admin' },
    })
  })

  test('merging moves the alerts, splitting takes some out, and neither loses one', async () => {
    const ids = await sites(12)
    await setHealth(ids.slice(0, 2), 'down')
    await pass(0)
    await pass(1)
    const [newer, older] = await listed()
    const merged = await root.post(`/incidents/${newer!.id}/merge`, { into: older!.id })
    expect(merged.json().incident).toMatchObject({ id: older!.id, active_alerts: 2 })
    expect((await details(newer!.id)).status).toBe('merged')
    expect((await root.post(`/incidents/${newer!.id}/merge`, { into: older!.id })).statusCode).toBe(409)
    expect((await root.post(`/incidents/${older!.id}/merge`, { into: older!.id })).statusCode).toBe(400)
    const { alerts } = await details(older!.id)
    const path = `/incidents/${older!.id}/split`
    const all = alerts.map(({ id }) => id)
    expect((await root.post(path, { alert_ids: all, title: 'All' })).statusCode).toBe(409)
    const split = (await root.post(path, { alert_ids: [all[0]], title: 'Apart' })).json().incident
    expect(split).toMatchObject({ title: 'Apart', active_alerts: 1 })
    expect((await details(older!.id)).alerts.map(({ id }) => id)).toEqual([all[1]])
    expect((await root.post(path, { alert_ids: [all[0]], title: 'Again' })).statusCode).toBe(400)
  })

  test('notes go into the timeline, once for a key; nothing in it can be changed', async () => {
    const { incident } = await down(1, 8)
    const headers = { 'idempotency-key': randomUUID() }
    const note = { text: 'The host was called' }
    const first = await root.post(`/incidents/${incident.id}/notes`, note, headers)
    expect((await root.post(`/incidents/${incident.id}/notes`, note, headers)).json()).toEqual(first.json())
    expect((await details(incident.id)).events.filter(({ kind }) => kind === 'note')).toHaveLength(1)
    await expect(sql(`update incident_events set text = 'other'`)).rejects.toThrow('written once')
    await expect(sql('delete from incident_events')).rejects.toThrow('written once')
  })

  test('a post-mortem begins as a draft of what is known, and is saved over its version', async () => {
    const { incident } = await down(1, 8)
    await root.post(`/incidents/${incident.id}/notes`, { text: '# not a heading <b>bold</b>' })
    const draft = (await root.get(`/incidents/${incident.id}/postmortem`)).json()
    expect(draft).toMatchObject({ is_draft: true, version: 1 })
    expect(draft.markdown).toContain('# INC-1: ')
    expect(draft.markdown).toContain('Test super\\_admin: \\# not a heading \\<b\\>bold\\</b\\>')
    const save = (version: number) => put(root, `/incidents/${incident.id}/postmortem`, { markdown: '# Ours', version })
    expect((await save(1)).json()).toEqual({ version: 2 })
    expect((await save(1)).statusCode).toBe(409)
    expect((await root.get(`/incidents/${incident.id}/postmortem`)).json()).toEqual({
      ...{ markdown: '# Ours', is_draft: false, version: 2 },
    })
  })

  test('needs the permission, and an incident that is there', async () => {
    const { incident } = await down(1, 8)
    const support = request(t.ctx).as('support')
    expect((await support.get(`/incidents/${incident.id}`)).statusCode).toBe(200)
    expect((await support.get('/incidents')).json().incidents[0].at_risk).toBeNull()
    expect((await support.patch(`/incidents/${incident.id}`, { version: 1, status: 'resolved' })).statusCode).toBe(403)
    expect((await root.get('/incidents/none')).statusCode).toBe(404)
    expect((await root.patch('/incidents/none', { version: 1 })).statusCode).toBe(404)
    expect((await request(t.ctx).as('readonly').get('/incidents')).statusCode).toBe(403)
  })
})

const at = (minutes: number) => new Date(t.clock.now() - minutes * minuteMs)
const audited = (action: string, type: string, id: string, minutes: number, after: object = {}) =>
  sql(
    `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id, after)
      values ($1, 'user', 'u', 'Grace', $2, $3, $4, $5)`,
    [at(minutes), action, type, id, JSON.stringify(after)],
  )

test('a bad deployment among twenty changes ranks first', async () => {
  const { ids } = await down(0, 6)
  const [bad, ...others] = ids.length > 0 ? ids : await sites(6)
  const deployed = (id: string, site: string, minutes: number) =>
    sql(
      `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, version, queued_at, started_at,
        completed_at, actor_name) values ($1, $2, 'deploy', 'console', 'success', 'pages', $1, $1, 'abc1234', $3, $3, $3, 'Ada')`,
      [id, site, at(minutes)],
    )
  await deployed('dep_good', bad!, 2000)
  await deployed('dep_bad', bad!, 4)
  for (const [index, site] of others.entries()) await deployed(`dep_${index}`, site, 1 + index)
  for (let index = 0; index < 8; index++) await audited('settings.change', 'setting', 'company.name', 1 + index)
  for (let index = 0; index < 7; index++)
    await audited('site.update', 'site', others[index % others.length]!, 1 + index)
  await setHealth([bad!], 'down')
  await pass(0)
  await pass(1)
  const { changes, sites: affected } = await details((await listed())[0]!.id)
  expect(affected.map(({ id }) => id)).toEqual([bad])
  expect(changes.filter(({ undo }) => undo !== null)).toHaveLength(1)
  expect(changes.length).toBeGreaterThanOrEqual(20)
  expect(changes[0]).toMatchObject({ id: 'dep_bad', kind: 'deployment', title: 'Deployed abc1234', actor: 'Ada' })
  expect(changes[0]?.undo).toEqual({ kind: 'deployment', site_id: bad, to: 'dep_good', name: 'abc1234' })
  expect(changes[0]?.reasons).toContain('The affected site')
})

test('what was asked for and then done is named once, what was only asked for not at all', async () => {
  const zone = { name: 'castine.example' }
  await audited('subscription.change_plan', 'subscription', 'sub_1', 9, { state: 'requested', name: 'Starter Care' })
  await audited('subscription.change_plan', 'subscription', 'sub_1', 8, { state: 'done', name: 'Starter Care' })
  await audited('domain.purge_cache', 'domain', 'zone_1', 7, { state: 'requested', ...zone })
  await audited('domain.purge_cache', 'domain', 'zone_1', 6, { state: 'done', ...zone })
  await audited('domain.change_setting', 'domain', 'zone_1', 5, { state: 'requested', ...zone })
  const { incident } = await down()
  const named = (await details(incident.id)).changes.filter(({ kind }) => kind === 'plan' || kind === 'dns')
  expect(named.map(({ title }) => title)).toEqual(['Purged the cache castine.example', 'Changed a plan Starter Care'])
})

test('a feature flag that was changed before is named, and its newest change can be undone', async () => {
  const { flag } = (await root.post('/features', { name: 'new-checkout' })).json()
  t.clock.advance(minuteMs)
  await root.patch(`/features/${flag.id}`, { version: 1, enabled: true })
  t.clock.advance(minuteMs)
  const { incident } = await down()
  const named = (await details(incident.id)).changes.filter(({ kind }) => kind === 'flag')
  expect(named.map(({ title, link, undo }) => [title, link, undo])).toEqual([
    [
      'Changed the feature flag new-checkout',
      `/admin/features?open=${flag.id}`,
      { kind: 'flag', flag_id: flag.id, to: 1, version: 2, name: 'version 1' },
    ],
    ['Added the feature flag new-checkout', expect.stringContaining('/admin/audit'), null],
  ])
  const undone = await root.post(`/features/${flag.id}/revert`, { to: 1, version: 2 })
  expect(undone.json().flag.enabled).toBe(false)
})
