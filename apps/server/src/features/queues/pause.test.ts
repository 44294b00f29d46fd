import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueSchedule, QueueSummary } from '@agency/contract/queues'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { type Caller, request } from '../../../test/request.ts'
import { startJobs } from '../../platform/job.ts'
import type { JobSettings } from '../../platform/jobs.ts'
import { createPauseKeeper } from './pause-keeper.ts'
import { makeJob } from './test/jobs.ts'

const input = z.object({ id: z.string() })
/** In the place of the console's own: what is tested is who begins it, not what it does. */
const make: JobSettings<typeof input> = { name: 'exports.make', input, retries: 0 }

let first: TestContext
let second: TestContext
let root: Caller
const ran: string[] = []

beforeAll(async () => {
  first = await createTestContext({ jobs: 'real' })
  second = await createTestContext({ jobs: 'real', database: first.database })
  root = request(first.ctx).as(['admin.system'])
  for (const { ctx } of [first, second]) {
    await ctx.instance(createPauseKeeper).start()
    await ctx.jobs.work(make, async ({ id }) => {
      if (id.startsWith('fails') && !ran.includes(id)) {
        ran.push(id)
        throw new Error('It failed')
      }
      ran.push(id)
    })
  }
})
afterAll(async () => {
  await second?.ctx.instance(createPauseKeeper).stop()
  await second?.close()
  await first?.ctx.instance(createPauseKeeper).stop()
  await first?.close()
})

const queue = async (name: string): Promise<QueueSummary | undefined> =>
  (await root.get('/admin/queues')).json().queues.find((one: QueueSummary) => one.queue_name === name)

test('a job that failed runs again as soon as it is retried', async () => {
  const id = await makeJob(first.ctx, 'exports.make', { id: 'fails' })
  const job = async () => (await root.get(`/admin/queues/jobs/${id}`)).json().job
  await eventually(async () => expect(await job()).toMatchObject({ status: 'failed', error: 'It failed' }))
  expect((await root.post(`/admin/queues/jobs/${id}/retry`, {})).statusCode).toBe(200)
  await eventually(async () => expect(await job()).toMatchObject({ status: 'completed', attempts: 2 }))
})

test('while a backup is restored a job waits, without a try', async () => {
  const { pool } = first.ctx
  const held = [first, second].map(({ ctx }) => vi.spyOn(ctx.jobs, 'hold'))
  await pool.query(
    `insert into restores (id, backup_id, backup_name, snapshot_at, state, maker_type, maker_id, maker_name, created_at)
     values ('rst_held', 'bak_1', 'One', now(), 'open', 'user', 'u', 'U', now())`,
  )
  for (const hold of held) await eventually(() => expect(hold.mock.lastCall?.[0]).toContain('exports.make'))
  const id = await makeJob(first.ctx, 'exports.make', { id: 'waits for the restore' })
  const job = async () => (await root.get(`/admin/queues/jobs/${id}`)).json().job
  expect(await job()).toMatchObject({ status: 'pending', attempts: 0 })
  await pool.query(`update restores set state = 'cancelled', finished_at = now() where id = 'rst_held'`)
  await eventually(async () => expect(await job()).toMatchObject({ status: 'completed', attempts: 1 }))
  for (const hold of held) hold.mockRestore()
})

test('a paused queue begins nothing in any process until it is resumed', async () => {
  const held = [first, second].map(({ ctx }) => vi.spyOn(ctx.jobs, 'hold'))
  const paused = await root.post('/admin/queues/exports.make/pause', {})
  expect(paused.json().queue.paused).toMatchObject({ by: 'Test custom' })
  // A second time changes nothing.
  expect((await root.post('/admin/queues/exports.make/pause', {})).json()).toEqual(paused.json())
  for (const hold of held) await eventually(() => expect(hold).toHaveBeenCalledWith(new Set(['exports.make'])))
  const before = ran.length
  const id = await makeJob(first.ctx, 'exports.make', { id: 'waits' })
  const job = async () => (await root.get(`/admin/queues/jobs/${id}`)).json().job
  // A worker would have been woken at once.
  await sleep(700)
  expect(ran).toHaveLength(before)
  expect(await job()).toMatchObject({ status: 'pending', is_paused: true })
  expect((await root.post('/admin/queues/exports.make/resume', {})).json().queue.paused).toBeNull()
  await eventually(async () => expect(await job()).toMatchObject({ status: 'completed', is_paused: false }))
  expect(ran.filter((each) => each === 'waits')).toHaveLength(1)
  const { rows } = await first.ctx.pool.query(
    `select action, before from audit_entries where resource_id = 'exports.make' order by id`,
  )
  expect(rows).toMatchObject([
    { action: 'queue.pause' },
    { action: 'queue.resume', before: { paused_by: 'Test custom' } },
  ])
})

test('queues of money and webhooks are never paused', async () => {
  for (const name of ['billing.resolve-actions', 'mirror.apply'])
    await makeJob(first.ctx, name, name === 'mirror.apply' ? { kind: 'customer', id: 'cus_1' } : { subject: 'a' }, {
      key: 'a',
    })
  expect((await root.post('/admin/queues/billing.resolve-actions/pause', {})).json()).toMatchObject({
    ...{ status: 409, detail: 'Queues that move money cannot be paused' },
  })
  expect((await root.post('/admin/queues/mirror.apply/pause', {})).json()).toMatchObject({
    ...{ status: 409, detail: 'Queues of webhooks cannot be paused' },
  })
  expect((await root.post('/admin/queues/nothing.here/pause', {})).statusCode).toBe(404)
  expect(await queue('mirror.apply')).toMatchObject({ guard: 'webhooks', paused: null })
})

test('a schedule tells its next run, and that of a paused queue none', async () => {
  const { jobs } = await import('../index.ts')
  const sweep = jobs.filter(({ name }) => name === 'auth.sweep')
  await startJobs(first.ctx, sweep)
  const schedule = async (): Promise<QueueSchedule | undefined> =>
    (await root.get('/admin/queues/schedules')).json().schedules.find(({ id }: QueueSchedule) => id === 'auth.sweep')
  const found = await schedule()
  expect(found).toMatchObject({ cron: '*/10 * * * *', paused: false })
  const aheadMs = Date.parse(found?.next_run_at ?? '') - Date.now()
  expect(aheadMs).toBeGreaterThan(-1000)
  expect(aheadMs).toBeLessThanOrEqual(600_000)
  await root.post('/admin/queues/auth.sweep/pause', {})
  expect(await schedule()).toMatchObject({ paused: true, next_run_at: null })
  await root.post('/admin/queues/auth.sweep/resume', {})
})
