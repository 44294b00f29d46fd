import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob } from '../../../test/context.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { put } from '../../../test/sites.ts'
import {
  create,
  history,
  makeCustomer,
  monthly,
  now,
  passTo,
  type Somebody,
  sendNow,
  shown,
  somebody,
  startWorld,
  type World,
  weekly,
} from './test/world.ts'

let world: World
let ada: Somebody
let ben: Somebody

beforeAll(async () => {
  world = await startWorld()
  ada = await somebody(world.t, ['analytics.read'])
  ben = await somebody(world.t, ['analytics.read', 'admin.users'])
})
beforeEach(async () => {
  world.t.clock.set(now)
  world.server.received.length = 0
  world.t.enqueued.length = 0
  await world.t.ctx.pool.query('delete from report_schedules; delete from notifications')
})
afterAll(() => world?.close())

const toAda = () => ({ report: 'revenue', receiver_ids: [ada.id] })
const actionsOf = async (id: string): Promise<string[]> =>
  (
    await world.t.ctx.pool.query(
      'select actor_name, action, outcome from audit_entries where resource_id = $1 order by id',
      [id],
    )
  ).rows.map(({ actor_name, action, outcome }) => `${actor_name}: ${action} ${outcome}`)

describe('a schedule', () => {
  test('is added, changed, paused, resumed and deleted, and each of that is written down', async () => {
    const made = await create(ada.caller, toAda())
    expect(made).toMatchObject({
      ...{
        state: 'active',
        next_at: '2026-11-30T08:00:00.000Z',
        owner: ada.name,
        problem: null,
        denial: null,
        last: null,
      },
      receivers: [{ id: ada.id, name: ada.name, email: ada.email, problem: null }],
    })
    const terms = { ...toAda(), ...monthly, month_day: 31, weekday: null, time_zone: 'America/New_York' }
    const changed = await put(ada.caller, `/report-schedules/${made.id}`, { ...terms, version: made.version })
    expect(changed.json().schedule.next_at).toBe('2026-11-30T13:00:00.000Z')
    const stale = await put(ada.caller, `/report-schedules/${made.id}`, { ...terms, version: made.version })
    expect(stale.statusCode).toBe(409)
    const act = async (name: string) => (await ada.caller.post(`/report-schedules/${made.id}/${name}`)).json().schedule
    expect(await act('pause')).toMatchObject({ state: 'paused', next_at: null })
    await act('pause')
    expect(await act('resume')).toMatchObject({ state: 'active', next_at: '2026-11-30T13:00:00.000Z' })
    expect((await ada.caller.delete(`/report-schedules/${made.id}`)).json()).toEqual({ success: true })
    expect((await ada.caller.delete(`/report-schedules/${made.id}`)).statusCode).toBe(404)
    expect(await actionsOf(made.id)).toEqual(
      ['create', 'update', 'pause', 'resume', 'delete'].map((act_) => `${ada.name}: report_schedule.${act_} done`),
    )
  })

  test('under the same key is added once, and sent once', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...weekly, ...toAda() }
    const [first, again] = [
      await ada.caller.post('/report-schedules', body, headers),
      await ada.caller.post('/report-schedules', body, headers),
    ]
    const { id } = first.json().schedule
    expect(again.json().schedule.id).toBe(id)
    const key = { 'idempotency-key': randomUUID() }
    const send = () => ada.caller.post(`/report-schedules/${id}/send`, {}, key)
    const sent = (await send()).json().delivery
    await world.t.runJobs()
    expect((await send()).json().delivery).toMatchObject({ id: sent.id, state: 'done' })
    expect(world.server.received).toHaveLength(1)
  })

  test.each([
    [{ report: 'customer' }, 'customer_id'],
    [{ report: 'revenue' }, 'receiver_ids'],
    [{ report: 'revenue', customer_id: 'cus_1', receiver_ids: ['a'] }, 'customer_id'],
    [{ report: 'revenue', receiver_ids: ['a'], weekday: null }, 'weekday'],
    [{ report: 'revenue', receiver_ids: ['a'], month_day: 3 }, 'month_day'],
    [{ report: 'revenue', receiver_ids: ['a'], format: 'csv' }, 'format'],
    [{ report: 'revenue', receiver_ids: ['a'], time_zone: '+02:00' }, 'time_zone'],
    [{ report: 'revenue', receiver_ids: ['nobody'] }, 'receiver_ids'],
    [{ report: 'revenue', receiver_ids: ['a'], hour: 24 }, 'hour'],
    [{ report: 'customer', customer_id: 'cus_nobody' }, 'customer_id'],
  ])('with %j is refused, and the field named', async (terms, parameter) => {
    const answer = await world.root.post('/report-schedules', { ...weekly, ...terms })
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
  })
})

describe('who may', () => {
  test('name others: those who know who there is', async () => {
    const terms = { ...weekly, report: 'usage', receiver_ids: [ben.id] }
    const refused = await ada.caller.post('/report-schedules', terms)
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'admin.users'])
    expect(await actionsOf('usage')).toContain(`${ada.name}: report_schedule.create denied`)
    expect((await ben.caller.post('/report-schedules', { ...terms, receiver_ids: [ada.id, ben.id] })).statusCode).toBe(
      200,
    )
    const ids = async (caller: Somebody['caller']) =>
      (await caller.get('/report-schedules/options')).json().people.map(({ id }: { id: string }) => id)
    expect(await ids(ada.caller)).toEqual([ada.id])
    expect(await ids(ben.caller)).toEqual(expect.arrayContaining([ada.id, ben.id]))
  })

  test('see one: its owner, its receivers and whoever runs the console; change it: the receivers not', async () => {
    const made = await create(ben.caller, { report: 'usage', receiver_ids: [ada.id] })
    const cara = await somebody(world.t, ['analytics.read'])
    expect(await shown(cara.caller, made.id)).toBeUndefined()
    expect((await cara.caller.get(`/report-schedules/${made.id}/deliveries`)).statusCode).toBe(404)
    expect((await shown(ada.caller, made.id))?.denial).toBe('Needs the permission admin.system')
    const refused = await ada.caller.delete(`/report-schedules/${made.id}`)
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'admin.system'])
    expect(await shown(world.root, made.id)).toMatchObject({ denial: null })
  })

  test('write to a customer: those who may write notices', async () => {
    const customer_id = await makeCustomer(world.t)
    const terms = { report: 'customer', customer_id }
    const reader = await somebody(world.t, ['customers.read', 'analytics.read'])
    const support = await somebody(world.t, ['customers.read', 'support.write'])
    const refused = await reader.caller.post('/report-schedules', { ...weekly, ...terms })
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'support.write'])
    expect((await reader.caller.post('/report-schedules/preview', { ...weekly, ...terms })).statusCode).toBe(400)
    const preview = { ...terms, cadence: 'weekly', time_zone: 'UTC' }
    expect((await reader.caller.post('/report-schedules/preview', preview)).statusCode).toBe(403)
    const made = await create(support.caller, terms)
    expect((await shown(reader.caller, made.id))?.denial).toBe('Needs the permission support.write')
    expect(await shown(ada.caller, made.id)).toBeUndefined()
    const of = async (id: string) =>
      (await reader.caller.get(`/report-schedules?customer_id=${id}`)).json().schedules.length
    expect([await of(customer_id), await of('cus_other')]).toEqual([1, 0])
  })
})

describe('at its date', () => {
  test('it is sent once, however many processes look, and goes on to the next', async () => {
    const { id } = await create(ada.caller, toAda())
    await passTo(world, '2026-11-30T07:59:59Z')
    expect(world.server.received).toEqual([])
    world.t.clock.set('2026-11-30T08:00:00Z')
    await Promise.all([1, 2, 3].map(() => runJob(world.t.ctx, 'report-schedules.due')))
    await world.t.runJobs()
    await passTo(world, '2026-11-30T08:01:00Z')
    expect(world.server.received.map(({ to }) => to)).toEqual([[ada.email]])
    const [delivery] = await history(ada.caller, id)
    expect(delivery).toMatchObject({
      ...{ cause: 'schedule', due_at: '2026-11-30T08:00:00Z', first_day: '2026-11-22', last_day: '2026-11-28' },
      ...{ state: 'done', receivers: [{ name: ada.name, address: ada.email, state: 'sent', reason: null }] },
    })
    expect(world.server.received[0]?.raw).toContain(`Message-ID: <${delivery?.id}-0@example.com>`)
    expect((await shown(ada.caller, id))?.next_at).toBe('2026-12-07T08:00:00.000Z')
    expect(await actionsOf(id)).toContain('report-schedules.deliver: report_schedule.send done')
  })

  test('that passed while no console ran it is made up for, once', async () => {
    const { id } = await create(ada.caller, toAda())
    await passTo(world, '2026-12-16T10:00:00Z')
    expect((await history(ada.caller, id)).map(({ due_at, last_day }) => [due_at, last_day])).toEqual([
      ['2026-12-14T08:00:00Z', '2026-12-12'],
    ])
    expect((await shown(ada.caller, id))?.next_at).toBe('2026-12-21T08:00:00.000Z')
  })

  test('it is not sent while it is paused', async () => {
    const { id } = await create(ada.caller, toAda())
    await ada.caller.post(`/report-schedules/${id}/pause`)
    await passTo(world, '2026-12-16T10:00:00Z')
    expect(world.server.received).toEqual([])
  })

  test('it stops when its owner has lost the permission, says so, and goes on with who resumes it', async () => {
    const cara = await somebody(world.t, ['analytics.read', 'admin.users'])
    const { id } = await create(cara.caller, toAda())
    await world.t.ctx.pool.query('update users set is_active = false where id = $1', [cara.id])
    const problem = `${cara.name} may no longer see reports (analytics.read)`
    expect(await shown(ada.caller, id)).toMatchObject({ state: 'active', problem })
    await passTo(world, '2026-11-30T08:00:00Z')
    expect(world.server.received).toEqual([])
    expect(await shown(ada.caller, id)).toMatchObject({ state: 'stopped', problem, next_at: null })
    const { rows } = await world.t.ctx.pool.query('select type, title, body from notifications')
    expect(rows).toEqual([
      {
        type: 'report.stopped',
        title: 'Weekly revenue report stopped',
        body: `${problem}. Someone with permission can resume the schedule.`,
      },
    ])
    const refused = await world.root.post(`/report-schedules/${id}/send`)
    expect([refused.statusCode, refused.json().detail]).toEqual([409, `${problem}. Resume first; nothing was sent.`])
    expect((await world.root.post(`/report-schedules/${id}/resume`)).json().schedule).toMatchObject({
      ...{ state: 'active', owner: 'Admin key', problem: null, next_at: '2026-12-07T08:00:00.000Z' },
    })
  })

  test('a receiver who was removed, or lost the permission, gets nothing, and the schedule says so', async () => {
    const [gone, changed] = [await somebody(world.t, ['analytics.read']), await somebody(world.t, ['analytics.read'])]
    const { id } = await create(world.root, { report: 'customers', receiver_ids: [gone.id, changed.id, ada.id] })
    await world.t.ctx.pool.query('delete from sessions where actor_id = $1', [gone.id])
    await world.t.ctx.pool.query('delete from users where id = $1', [gone.id])
    await world.t.ctx.pool.query(`update users set role_id = 'support' where id = $1`, [changed.id])
    const problems = ['This account was removed', `${changed.name} may not see reports (analytics.read)`, null]
    expect((await shown(world.root, id))?.receivers.map(({ problem }) => problem)).toEqual(problems)
    await passTo(world, '2026-11-30T08:00:00Z')
    expect(world.server.received.map(({ to }) => to)).toEqual([[ada.email]])
    const [delivery] = await history(world.root, id)
    expect(delivery).toMatchObject({ state: 'done', reason: null })
    expect(delivery?.receivers.map(({ name, state, reason }) => [name, state, reason])).toEqual([
      [null, 'skipped', problems[0]],
      [changed.name, 'skipped', problems[1]],
      [ada.name, 'sent', null],
    ])
  })

  test('that reaches nobody is told: a deleted customer gets nothing', async () => {
    const customer_id = await makeCustomer(world.t, { name: 'Cove' })
    const { id } = await create(world.root, { report: 'customer', customer_id })
    await world.t.ctx.pool.query('update customers set deleted_at = now() where id = $1', [customer_id])
    await passTo(world, '2026-11-30T08:00:00Z')
    expect(world.server.received).toEqual([])
    const reason = 'This customer was deleted'
    expect(await history(world.root, id)).toMatchObject([
      { state: 'failed', reason, receivers: [{ state: 'skipped' }] },
    ])
    expect((await shown(world.root, id))?.last).toMatchObject({ state: 'failed', reason })
    const { rows } = await world.t.ctx.pool.query('select title, body from notifications')
    expect(rows).toEqual([
      {
        title: 'Weekly website report for Cove was not sent',
        body: `${reason}. You can send the report from its schedule.`,
      },
    ])
  })
})

test('the audit log says whose report it is; that it was scheduled and deleted also once the schedule is gone', async () => {
  const customer_id = await makeCustomer(world.t, { name: 'Harbour Bakery' })
  const { id } = await create(world.root, { report: 'customer', customer_id })
  const told = async (): Promise<string[]> =>
    (await world.root.get(`/admin/audit?resource_id=${id}`))
      .json()
      .entries.map(({ details }: { details: string }) => details)
  await world.root.post(`/report-schedules/${id}/pause`)
  const scheduled = 'Scheduled the weekly website report for Harbour Bakery'
  expect(await told()).toEqual(['Paused the website report for Harbour Bakery', scheduled])
  await world.root.delete(`/report-schedules/${id}`)
  const deleted = 'Deleted the schedule of the weekly website report for Harbour Bakery'
  expect([(await told())[0], (await told()).at(-1)]).toEqual([deleted, scheduled])
})

describe('what becomes of a mail', () => {
  test('that the server refuses stands in the history', async () => {
    const customer_id = await makeCustomer(world.t, { email: 'refused@example.com' })
    const { id } = await create(world.root, { report: 'customer', customer_id })
    const delivery = await sendNow(world, world.root, id)
    expect(delivery).toMatchObject({ cause: 'now', ordered_by: 'Admin key', state: 'done' })
    expect(delivery?.receivers).toMatchObject([{ state: 'failed', reason: expect.stringContaining('550') }])
    const { rows } = await world.t.ctx.pool.query('select title from notifications')
    expect(rows[0]?.title).toMatch(/^The email ".+" could not be sent$/)
  })

  test('is forgotten as long after as mails are, and not before', async () => {
    const { id } = await create(ada.caller, toAda())
    await sendNow(world, ada.caller, id)
    await passTo(world, '2026-11-26T12:00:00Z')
    expect(await history(ada.caller, id)).toHaveLength(1)
    await ada.caller.post(`/report-schedules/${id}/pause`)
    await passTo(world, '2027-03-26T12:00:00Z')
    expect(await history(ada.caller, id)).toEqual([])
  })
})

test('without a mail server nothing is sent, and nothing says that it was', async () => {
  const without = await createTestContext({ env: secretsEnv, now })
  const root = request(without.ctx).as('super_admin')
  const own = await somebody(without, ['analytics.read'])
  const { id } = await create(own.caller, { report: 'revenue', receiver_ids: [own.id] })
  const refused = await own.caller.post(`/report-schedules/${id}/send`)
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    'Set "Mail server" under System Config first. Nothing was sent.',
  ])
  expect((await root.get('/report-schedules')).json()).toMatchObject({ has_mail_server: false, has_address: false })
  without.clock.set('2026-11-30T08:00:00Z')
  await runJob(without.ctx, 'report-schedules.due')
  await without.runJobs()
  expect(await history(own.caller, id)).toMatchObject([
    { state: 'failed', reason: 'No mail server', receivers: [{ state: 'waiting' }] },
  ])
  expect((await without.ctx.pool.query('select from mails')).rows).toEqual([])
  await without.close()
})
