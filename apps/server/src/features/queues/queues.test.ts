import { randomUUID } from 'node:crypto'
import type { QueueJob, QueueJobDetails } from '@agency/contract/queues'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { failJob, makeJob, setState } from './test/jobs.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ jobs: 'real' })
  root = request(t.ctx).as(['admin.system'])
})
beforeEach(async () => {
  await t.ctx.pool.query('delete from jobs.job; delete from queue_pauses')
})
afterAll(() => t?.close())

const make = (name: string, input: object = {}, options = {}) => makeJob(t.ctx, name, input, options)
const fail = (id: string, message: string, minutesAgo = 0) => failJob(t.ctx, id, message, minutesAgo)

async function failed(name: string, input: object, message = 'The provider did not answer', minutesAgo = 0) {
  const id = await make(name, input, { key: randomUUID() })
  await fail(id, message, minutesAgo)
  return id
}

async function list(query = ''): Promise<QueueJob[]> {
  const answer = await root.get(`/admin/queues/jobs${query}`)
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, ''])
  return answer.json().jobs
}
const ids = async (query: string) => (await list(query)).map(({ id }) => id)
const getJob = async (id: string): Promise<QueueJobDetails> => (await root.get(`/admin/queues/jobs/${id}`)).json().job
const act = (id: string, name: string, body: object = {}) => root.post(`/admin/queues/jobs/${id}/${name}`, body)

async function entriesOf(id: string | null) {
  const { rows } = await t.ctx.pool.query(
    `select action, before, after from audit_entries where resource_id is not distinct from $1
      and resource_type in ('job', 'queue') order by id`,
    [id],
  )
  return rows
}

describe('the list', () => {
  test('shows of each job its state, attempts, next run, duration and error', async () => {
    const waiting = await make('exports.make', { id: 'e1' }, { startAfter: new Date(Date.now() + 3_600_000) })
    const running = await make('exports.make', { id: 'e2' })
    await setState(t.ctx, running, 'active')
    const done = await make('exports.make', { id: 'e3' })
    await setState(t.ctx, done, 'completed')
    const broken = await failed('mail.send', { id: 'm1' }, 'Connection refused')
    const [one, two, three, four] = await list('?sort=created_at')
    expect(one).toMatchObject({
      ...{
        id: waiting,
        queue_name: 'exports.make',
        job_type: 'Create exports',
        status: 'pending',
        attempts: 0,
        max_attempts: 1,
      },
      ...{ error: null, duration_ms: null, retry_denial: null, edit_denial: null, delete_denial: null },
    })
    expect(Date.parse(one?.next_run_at ?? '')).toBeGreaterThan(Date.now() + 3_000_000)
    expect(two).toMatchObject({ id: running, status: 'processing', attempts: 1, next_run_at: null })
    expect(two?.duration_ms).toBeGreaterThanOrEqual(2000)
    expect(two?.retry_denial).toBe('It is running now')
    expect(three).toMatchObject({ id: done, status: 'completed', retry_denial: 'Completed jobs cannot be retried' })
    expect(four).toMatchObject({
      ...{ id: broken, queue_name: 'mail.send', status: 'failed', error: 'Connection refused', duration_ms: 1500 },
      retry_denial: null,
    })
    expect(four?.attempts).toBe(four?.max_attempts)
  })

  test('is narrowed by status and queue, and goes on after any job', async () => {
    const mails = await Promise.all(['a', 'b', 'c'].map((id) => failed('mail.send', { id })))
    await make('exports.make', { id: 'e1' })
    expect((await ids('?status=failed')).toSorted()).toEqual(mails.toSorted())
    expect(await ids('?status=pending&queue=mail.send')).toEqual([])
    const first = await root.get('/admin/queues/jobs?limit=2&status=failed')
    expect(first.json().has_more).toBe(true)
    const [, last] = first.json().jobs
    const rest = await root.get(`/admin/queues/jobs?limit=2&status=failed&starting_after=${last.id}`)
    expect(rest.json()).toMatchObject({ jobs: [{ status: 'failed' }], has_more: false })
    const back = await root.get(`/admin/queues/jobs?limit=2&status=failed&ending_before=${rest.json().jobs[0].id}`)
    expect(back.json().jobs).toEqual(first.json().jobs)
  })

  test.each(['limit=0', 'limit=101', 'status=active', 'starting_after=x', 'sort=name', 'queue=A%20B', 'cause=x'])(
    'refuses %s and names the parameter',
    async (query) => {
      const answer = await root.get(`/admin/queues/jobs?${query}`)
      expect([answer.statusCode, answer.json().parameter]).toEqual([400, query.split('=')[0]])
    },
  )

  test('finds by id, content, customer, site and error text', async () => {
    const { pool } = t.ctx
    await insertRows(pool, 'customers', [{ id: 'cus_find', name: 'Pinecrest Dental', email: 'desk@pinecrest.example' }])
    await insertRows(pool, 'subscriptions', [{ id: 'sub_find', customer_id: 'cus_find' }])
    await pool.query(`insert into sites (id, site_name, domain, status, customer_id, created_at, updated_at)
      values ('site_abcdefgh12345678', 'Lighthouse', 'lighthouse.example', 'active', null, now(), now())`)
    const lifecycle = await make('lifecycle.run', { subject: 'cus_find' }, { key: 'cus_find' })
    const applied = await make(
      'mirror.apply',
      { kind: 'subscription', id: 'sub_find' },
      { key: 'subscription:sub_find' },
    )
    const site = await make('sites.suspension', { subject: 'site_abcdefgh12345678' }, { key: 'site' })
    const other = await failed('mail.send', { id: 'mail-77' }, 'Mailbox überfüllt at relay.example')
    expect(await ids(`?search=${lifecycle.slice(0, 13)}`)).toEqual([lifecycle])
    expect(await ids('?search=mail-77')).toEqual([other])
    expect((await ids('?search=pinecrest')).toSorted()).toEqual([lifecycle, applied].toSorted())
    expect(await ids('?search=LIGHTHOUSE')).toEqual([site])
    expect(await ids(`?search=${encodeURIComponent('ÜBERFÜLLT')}`)).toEqual([other])
    expect(await ids('?search=nobody-at-all')).toEqual([])
    expect(await ids(`?search=${encodeURIComponent('100%')}`)).toEqual([])
    const touched = Object.fromEntries((await list()).map((job) => [job.id, job.touched]))
    expect(touched[lifecycle]).toEqual([
      {
        kind: 'customer',
        id: 'cus_find',
        name: 'Pinecrest Dental',
        customer: { id: 'cus_find', name: 'Pinecrest Dental' },
      },
    ])
    expect(touched[applied]).toMatchObject([{ kind: 'subscription', customer: { name: 'Pinecrest Dental' } }])
    expect(touched[site]).toEqual([{ kind: 'site', id: 'site_abcdefgh12345678', name: 'Lighthouse', customer: null }])
    expect(touched[other]).toEqual([{ kind: 'mail', id: 'mail-77', name: null, customer: null }])
  })
})

describe('a failed job', () => {
  test('is kept for somebody to look at it, while what went well goes after a day', async () => {
    const good = await make('exports.make', { id: 'e1' })
    const bad = await failed('exports.make', { id: 'e2' })
    const { rows } = await t.ctx.pool.query('select id, deletion_seconds as s from jobs.job')
    expect(new Map(rows.map(({ id, s }) => [id, s]))).toEqual(
      new Map([
        [good, 86_400],
        [bad, 30 * 86_400],
      ]),
    )
  })

  test('is retried: it is due now, with one attempt more, and goes like any other when it went well', async () => {
    const id = await failed('mail.send', { id: 'm1' })
    const before = await getJob(id)
    const answer = await act(id, 'retry')
    expect(answer.json().job).toMatchObject({ status: 'pending', max_attempts: before.max_attempts + 1 })
    expect(Date.parse(answer.json().job.next_run_at)).toBeLessThanOrEqual(Date.now())
    const { rows } = await t.ctx.pool.query('select keep_until > now() as kept, deletion_seconds as s from jobs.job')
    expect(rows).toEqual([{ kept: true, s: 86_400 }])
    // Once more changes nothing, and is no second entry.
    expect((await act(id, 'retry')).statusCode).toBe(200)
    expect(await entriesOf(id)).toMatchObject([
      { action: 'job.retry', before: { queue: 'mail.send', status: 'failed', data: { id: 'm1' } } },
    ])
  })

  test('is edited and retried with data that its job takes, and no other', async () => {
    const id = await make('mail.send', { id: 'm1' }, { key: 'm1' })
    await fail(id, 'No')
    const refused = await act(id, 'edit', { data: { id: 7 } })
    expect([refused.statusCode, refused.json().parameter]).toEqual([400, 'data'])
    expect(refused.json().detail).toContain('id:')
    for (const unkept of ['a\0b', 'a\ud800'])
      expect((await act(id, 'edit', { data: { id: unkept } })).statusCode).toBe(400)
    expect((await act(id, 'edit', { data: { id: 'm2' } })).json().job).toMatchObject({
      ...{ status: 'pending', data: { id: 'm2' }, key: 'm2' },
    })
    expect(await entriesOf(id)).toMatchObject([
      { action: 'job.edit', before: { data: { id: 'm1' } }, after: { data: { id: 'm2' } } },
    ])
  })

  test('is deleted once, and a repeat under its key hears the same', async () => {
    const id = await failed('mail.send', { id: 'm1' })
    const headers = { 'idempotency-key': randomUUID() }
    const remove = () => root.delete(`/admin/queues/jobs/${id}`, headers)
    expect((await remove()).json()).toEqual({ success: true })
    expect((await remove()).json()).toEqual({ success: true })
    expect((await root.get(`/admin/queues/jobs/${id}`)).statusCode).toBe(404)
    expect(await entriesOf(id)).toMatchObject([{ action: 'job.delete', before: { queue: 'mail.send' } }])
  })

  test('that moves money is retried, but neither edited nor deleted', async () => {
    const id = await failed('billing.resolve-actions', { subject: 'act_1' })
    const job = await getJob(id)
    expect(job).toMatchObject({ guard: 'money', retry_denial: null })
    for (const answer of [
      await act(id, 'edit', { data: { subject: 'act_2' } }),
      await root.delete(`/admin/queues/jobs/${id}`),
    ]) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json().detail).toMatch(/^It moves money: it can/)
    }
    expect((await act(id, 'retry')).statusCode).toBe(200)
    expect(await getJob(id)).toMatchObject({ status: 'pending', data: { subject: 'act_1' } })
  })

  test('shows the run that it goes on with', async () => {
    await t.ctx.pool.query(`
      insert into runs (id, name, kind, subject, topic, state, options, actor_type, actor_id, actor_name, created_at)
        values ('run_1', 'sites.suspension', 'suspend', 'site_1', 'sites', 'failed', '{}', 'user', 'u', 'Ada', now());
      insert into run_steps (run_id, position, name, payload, state, note) values
        ('run_1', 0, 'detach', '{}', 'done', null), ('run_1', 1, 'attach', '{}', 'failed', 'Cloudflare refused it')`)
    const id = await failed('sites.suspension', { subject: 'site_1' })
    expect((await getJob(id)).run).toMatchObject({
      ...{ id: 'run_1', status: 'failed', started_by: 'Ada' },
      steps: [
        { name: 'detach', state: 'done' },
        { name: 'attach', state: 'failed', note: 'Cloudflare refused it' },
      ],
    })
    const runs = (await root.get('/admin/queues/runs?status=failed')).json()
    expect(runs).toMatchObject({ runs: [{ id: 'run_1', touched: [{ kind: 'site', id: 'site_1' }] }], has_more: false })
    expect((await root.get('/admin/queues/runs?status=completed')).json().runs).toEqual([])
  })
})

test('a job that runs or is of an unknown kind is left alone', async () => {
  const running = await make('exports.make', { id: 'e1' })
  await setState(t.ctx, running, 'active')
  expect((await act(running, 'retry')).json()).toMatchObject({ status: 409, detail: 'It is running now' })
  expect((await root.delete(`/admin/queues/jobs/${running}`)).statusCode).toBe(409)
  const job = { name: 'old.job', input: (await import('zod')).z.object({}) }
  const id = (await t.ctx.jobs.enqueue(t.ctx, job, {})) ?? ''
  expect((await act(id, 'retry')).json().detail).toBe('This version of the console does not know this kind of job')
  expect((await act(randomUUID(), 'retry')).statusCode).toBe(404)
})

describe('all that match', () => {
  const bulk = (body: object, headers = {}) => root.post('/admin/queues/bulk', body, headers)
  const preview = async (query: string) => (await root.get(`/admin/queues/bulk/preview?${query}`)).json()

  test('are counted first, then retried in batches, whatever page is shown', async () => {
    const mails = await Promise.all(Array.from({ length: 5 }, (_, n) => failed('mail.send', { id: `m${n}` })))
    await failed('exports.make', { id: 'e1' })
    await setState(t.ctx, await make('mail.send', { id: 'fine' }, { key: 'fine' }), 'completed')
    const found = await preview('act=retry&queue=mail.send')
    expect(found).toMatchObject({
      ...{ matching: 6, affected: 5 },
      left_out: [{ reason: 'Completed jobs cannot be retried', jobs: 1 }],
    })
    const later = await failed('mail.send', { id: 'later' })
    await t.ctx.pool.query(`update jobs.job set created_on = now() + interval '1 min' where id = $1`, [later])
    const body = { act: 'retry', filters: { queue: 'mail.send' }, until: found.until, batch_size: 3 }
    expect((await bulk(body)).json()).toEqual({ done: 3, has_more: true })
    const headers = { 'idempotency-key': randomUUID() }
    expect((await bulk(body, headers)).json()).toEqual({ done: 2, has_more: false })
    expect((await bulk(body, headers)).json()).toEqual({ done: 2, has_more: false })
    expect((await ids('?status=pending')).toSorted()).toEqual(mails.toSorted())
    expect(await ids('?status=failed&queue=mail.send')).toEqual([later])
    const entries = (await entriesOf(null)).slice(-2)
    expect(entries.map(({ action, after }) => [action, after.jobs, after.queues])).toEqual([
      ['job.retry_all', 3, { 'mail.send': 3 }],
      ['job.retry_all', 2, { 'mail.send': 2 }],
    ])
  })

  test('are deleted without those that run and those that move money', async () => {
    await failed('mail.send', { id: 'm1' })
    const money = await failed('billing.resolve-actions', { subject: 'act_1' })
    const running = await make('exports.make', { id: 'e1' })
    await setState(t.ctx, running, 'active')
    const found = await preview('act=delete')
    expect(found).toMatchObject({ matching: 3, affected: 1 })
    expect(found.left_out).toEqual(
      expect.arrayContaining([
        { reason: 'It moves money: it cannot be deleted', jobs: 1 },
        { reason: 'It is running now', jobs: 1 },
      ]),
    )
    expect((await bulk({ act: 'delete', filters: {}, until: found.until })).json()).toEqual({
      done: 1,
      has_more: false,
    })
    expect((await ids('')).toSorted()).toEqual([money, running].toSorted())
  })

  test('of one cause are one group, whatever ids and numbers its words hold', async () => {
    for (const [n, id] of ['a', 'b', 'c'].entries())
      await failed(
        'mail.send',
        { id },
        `Mailbox ${id}${n}@example.com is full after ${n} tries (10.0.0.${n}:25)`,
        9 - n,
      )
    await failed('exports.make', { id: 'e1' }, 'Mailbox a0@example.com is full after 1 tries (10.0.0.1:25)')
    await failed('mail.send', { id: 'other' }, 'Connection refused', 60)
    const { causes, has_more } = (await root.get('/admin/queues/causes')).json()
    expect(has_more).toBe(false)
    expect(causes).toMatchObject([
      { queue_name: 'exports.make', jobs: 1 },
      {
        queue_name: 'mail.send',
        jobs: 3,
        has_more_jobs: false,
        error: 'Mailbox c2@example.com is full after 2 tries (10.0.0.2:25)',
      },
      { queue_name: 'mail.send', jobs: 1, error: 'Connection refused' },
    ])
    const minutes = (Date.parse(causes[1].last_failed_at) - Date.parse(causes[1].first_failed_at)) / 60_000
    expect(minutes).toBeCloseTo(2, 1)
    expect(await list(`?cause=${causes[1].id}`)).toHaveLength(3)
    expect(await preview(`act=retry&cause=${causes[1].id}`)).toMatchObject({ matching: 3, affected: 3, left_out: [] })
  })
})

describe('who may', () => {
  test.each(['admin', 'support', 'readonly'] as const)('not a %s', async (role) => {
    const id = await failed('mail.send', { id: 'm1' })
    const other = request(t.ctx).as(role)
    expect((await other.get('/admin/queues/jobs')).statusCode).toBe(403)
    expect((await other.post(`/admin/queues/jobs/${id}/retry`, {})).statusCode).toBe(403)
    expect((await other.delete(`/admin/queues/jobs/${id}`)).statusCode).toBe(403)
    expect((await other.post('/admin/queues/mail.send/pause', {})).statusCode).toBe(403)
    expect(await getJob(id)).toMatchObject({ status: 'failed' })
  })
})
