import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { type JobSettings, type Jobs, openJobs } from './jobs.ts'
import { listenerName, openListener } from './listener.ts'
import { createLogger } from './logger.ts'

const log = createLogger('silent')
let test_: TestDatabase
let database: Database
let jobs: Jobs

const input = z.object({ n: z.number() })
const numbered = (name: string, more: Partial<JobSettings<typeof input>> = {}): JobSettings<typeof input> => ({
  name: `test.${name}`,
  input,
  retryDelayS: 1,
  ...more,
})

beforeAll(async () => {
  test_ = await createTestDatabase()
  database = createDatabase(test_.connectionString, { max: 8 })
  jobs = await open()
  await database.pool.query('create table test_wishes (wisher text not null)')
})
afterAll(async () => {
  await jobs.stop()
  await database.kysely.destroy()
  await test_.drop()
})

/** As a process of its own opens them. */
async function open({ pool } = database, { connectionString } = test_, dueEveryMs?: number): Promise<Jobs> {
  const listener = await openListener(connectionString, log)
  const opened = await openJobs({ pool, listener, log, ...(dueEveryMs !== undefined && { dueEveryMs }) })
  return {
    ...opened,
    async stop() {
      await opened.stop()
      await listener.stop()
    },
  }
}

/** Its workers are woken, or ask after two minutes: longer than anything is waited for here. */
const openWithoutLooking = () => open(database, test_, 3_600_000)

const where = () => ({ db: database.kysely })

test('a job runs as soon as its transaction is kept', async () => {
  const job = numbered('fast')
  const ran: number[] = []
  const woken = await openWithoutLooking()
  await woken.work(job, async ({ n }) => void ran.push(n))
  await database.kysely.transaction().execute(async (db) => {
    await woken.enqueue({ db }, job, { n: 1 })
    await sleep(100)
    expect(ran).toEqual([])
  })
  await eventually(() => expect(ran).toEqual([1]))
  await woken.stop()
})

test('a job runs soon although the connection that hears of it is lost just then', async () => {
  const job = numbered('unheard')
  const ran: number[] = []
  const woken = await openWithoutLooking()
  await woken.work(job, async ({ n }) => void ran.push(n))
  await woken.enqueue(where(), job, { n: 1 })
  await eventually(() => expect(ran).toEqual([1]))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${listenerName} and datname = current_database()`.execute(database.kysely)
  await woken.enqueue(where(), job, { n: 2 })
  await eventually(() => expect(ran).toEqual([1, 2]))
  await woken.stop()
})

test('a job of which nobody was told runs soon', async () => {
  const job = numbered('untold')
  const ran: number[] = []
  await jobs.work(job, async ({ n }) => void ran.push(n))
  await jobs.enqueue(where(), job, { n: 1 })
  await eventually(() => expect(ran).toEqual([1]))
  await sql`insert into jobs.job (name, data) values (${job.name}, '{"n": 2}')`.execute(database.kysely)
  await eventually(() => expect(ran).toEqual([1, 2]))
})

test('a job of a transaction that is rolled back never runs', async () => {
  const job = numbered('undone')
  const ran: number[] = []
  await jobs.work(job, async ({ n }) => void ran.push(n))
  const undone = database.kysely.transaction().execute(async (db) => {
    await jobs.enqueue({ db }, job, { n: 1 })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await jobs.enqueue(where(), job, { n: 2 })
  await eventually(() => expect(ran).toEqual([2]))
})

test('a job that fails is tried again, and stays as failed in the end', async () => {
  const job = numbered('failing', { retries: 1 })
  const tries: [number, boolean][] = []
  await jobs.work(job, async (_input, run) => {
    tries.push([run.attempt, run.isLastAttempt])
    throw new Error('no')
  })
  await jobs.enqueue(where(), job, { n: 1 })
  await eventually(() =>
    expect(tries).toEqual([
      [1, false],
      [2, true],
    ]),
  )
  await eventually(async () => {
    const { rows } = await database.pool.query(
      "select data, state, deletion_seconds as s, output ->> 'message' as error from jobs.job where name = 'test.failing'",
    )
    expect(rows).toEqual([{ data: { n: 1 }, state: 'failed', s: 30 * 86_400, error: 'no' }])
  })
})

test('with a key one waits and one runs', async () => {
  const job = numbered('keyed', { policy: 'key', concurrency: 4 })
  const running = new Map<number, number>()
  const ran: number[] = []
  let most = 0
  const started = Promise.all(
    Array.from({ length: 12 }, (_, index) => jobs.enqueue(where(), job, { n: index % 3 }, { key: String(index % 3) })),
  )
  const ids = await started
  expect(ids.filter((id) => id !== null)).toHaveLength(3)
  await jobs.work(job, async ({ n }) => {
    running.set(n, (running.get(n) ?? 0) + 1)
    most = Math.max(most, ...running.values())
    // While it runs another may wait.
    if (ran.length < 3) await jobs.enqueue(where(), job, { n }, { key: String(n) })
    await sleep(100)
    running.set(n, (running.get(n) ?? 0) - 1)
    ran.push(n)
  })
  await eventually(() => expect(ran.length).toBeGreaterThanOrEqual(6))
  expect(most).toBe(1)
})

test.each(['key', 'alone'] as const)(
  'one that waits (%s) sees what was written by whoever asks for it again',
  async (policy) => {
    // What has a schedule asks on its own every 15 s, so what runs within ten was woken.
    const job = { ...numbered(`asked-${policy}`, { policy }), schedule: '0 0 29 2 *' }
    const options = { ...(policy === 'key' && { key: 'one' }) }
    await jobs.enqueue(where(), job, { n: 0 }, options)
    const seen: number[] = []
    const written = () => database.pool.query('select from test_wishes where wisher = $1', [policy])
    await database.kysely.transaction().execute(async (db) => {
      expect(await jobs.enqueue({ db }, job, { n: 0 }, options)).toBeNull()
      await jobs.work(job, async () => void seen.push((await written()).rows.length))
      await sleep(300)
      await sql`insert into test_wishes values (${policy})`.execute(db)
    })
    await eventually(() => expect(seen).toContain(1))
    expect(seen).toEqual([1])
  },
)

test('one that waits for later runs now when it is asked for now', async () => {
  const job = { ...numbered('sooner', { policy: 'key' }), schedule: '0 0 29 2 *' }
  const ran: number[] = []
  await jobs.enqueue(where(), job, { n: 1 }, { key: 'one', startAfter: new Date(Date.now() + 3_600_000) })
  await jobs.work(job, async ({ n }) => void ran.push(n))
  await jobs.enqueue(where(), job, { n: 1 }, { key: 'one', startAfter: new Date(Date.now() + 7_200_000) })
  await sleep(200)
  expect(ran).toEqual([])
  await jobs.enqueue(where(), job, { n: 1 }, { key: 'one' })
  await eventually(() => expect(ran).toEqual([1]))
})

test('asked for by many at once while it begins and ends, every wish is followed by a run that sees it', async () => {
  const job = numbered('wished', { policy: 'key', concurrency: 2 })
  let seen = 0
  await jobs.work(job, async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::integer as count from test_wishes where wisher = 'many'",
    )
    seen = Math.max(seen, rows[0]!.count)
  })
  let wished = 0
  const wish = async () => {
    for (let i = 0; i < 40; i++) {
      await database.kysely.transaction().execute(async (db) => {
        await jobs.enqueue({ db }, job, { n: 0 }, { key: 'one' })
        await sql`insert into test_wishes values ('many')`.execute(db)
        wished += 1
        await sleep(i % 4)
      })
    }
  }
  await Promise.all([wish(), wish(), wish()])
  await eventually(() => expect(seen).toBe(wished))
})

test('alone runs once over all processes, and again for whoever asked meanwhile', async () => {
  const job = numbered('alone', { policy: 'alone', concurrency: 1 })
  const other = await open()
  let running = 0
  let most = 0
  let runs = 0
  const handle = async () => {
    running++
    most = Math.max(most, running)
    runs++
    await sleep(400)
    running--
  }
  await jobs.work(job, handle)
  await other.work(job, handle)
  await jobs.enqueue(where(), job, { n: 1 })
  await eventually(() => expect(running).toBe(1))
  await jobs.enqueue(where(), job, { n: 2 })
  await eventually(() => expect(runs).toBe(2))
  await eventually(() => expect(running).toBe(0))
  expect(most).toBe(1)
  await other.stop()
})

test('an input that is not valid is refused before it is stored', async () => {
  await expect(jobs.enqueue(where(), numbered('strict'), { n: 'x' } as unknown as { n: number })).rejects.toThrow()
})

test('a job for later waits for its time', async () => {
  const job = numbered('later')
  const ran: number[] = []
  await jobs.work(job, async ({ n }) => void ran.push(n))
  await jobs.enqueue(where(), job, { n: 1 }, { startAfter: new Date(Date.now() + 1500) })
  await sleep(700)
  expect(ran).toEqual([])
  await eventually(() => expect(ran).toEqual([1]))
})

test('stopping lets what runs come to its end', async () => {
  const job = numbered('ending')
  const other = await open()
  let state = 'waiting'
  await other.work(job, async () => {
    state = 'running'
    await sleep(500)
    state = 'done'
  })
  await other.enqueue(where(), job, { n: 1 })
  await eventually(() => expect(state).toBe('running'))
  await other.stop()
  expect(state).toBe('done')
})

test('a schedule is kept, and forgotten when the job has none any more', async () => {
  const job = numbered('scheduled', { schedule: '*/10 * * * *' })
  await jobs.work(job, async () => {})
  const schedules = async () =>
    (await database.pool.query("select cron from jobs.schedule where name = 'test.scheduled'")).rows
  expect(await schedules()).toEqual([{ cron: '*/10 * * * *' }])
  await jobs.work({ ...job, schedule: undefined }, async () => {})
  expect(await schedules()).toEqual([])
})

test('a waiting job survives a change of the settings of its queue', async () => {
  const job = numbered('changing')
  await jobs.enqueue(where(), job, { n: 7 })
  const changed = { ...job, retries: 9, policy: 'alone' as const }
  const other = await open()
  const ran: number[] = []
  await other.work(changed, async ({ n }) => void ran.push(n))
  await eventually(() => expect(ran).toEqual([7]))
  await other.stop()
})

test('an end tells what runs to stop, and does not wait for what does not', async () => {
  const own = await open()
  const running = new Map<string, AbortSignal>()
  const heeding = numbered('heeding')
  const deaf = numbered('deaf')
  await own.work(heeding, async (_input, { signal }) => {
    running.set('heeding', signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  await own.work(deaf, async (_input, { signal }) => {
    running.set('deaf', signal)
    await new Promise(() => {})
  })
  await own.enqueue(where(), heeding, { n: 1 })
  await own.enqueue(where(), deaf, { n: 1 })
  await eventually(() => expect(running.size).toBe(2))
  const ended = own.stop()
  expect([...running.values()].map((signal) => signal.aborted)).toEqual([true, true])
  await ended
})

test('what lay among the dead letters of an earlier version is a failed job again', async () => {
  const own = await createTestDatabase()
  const opened = createDatabase(own.connectionString, { max: 4 })
  const before = await open(opened, own)
  const id = await before.enqueue({ db: opened.kysely }, numbered('buried'), { n: 5 })
  await before.stop()
  await opened.pool.query(`
    drop index jobs.job_words;
    drop index jobs.job_id, jobs.job_newest, jobs.job_of_queue, jobs.job_pending, jobs.job_failed, jobs.job_rare,
      jobs.job_causes, jobs.job_values;
    drop trigger keep_failed on jobs.job_common;
    select jobs.create_queue('dead-letters', '{"policy": "standard"}');
    with gone as (delete from jobs.job returning *)
    insert into jobs.job (name, data, source_name, source_id, source_created_on, source_retry_count, source_output)
      select 'dead-letters', data, name, id, created_on, 3, '{"message": "It was late"}' from gone`)
  const after = await open(opened, own)
  const { rows } = await opened.pool.query(
    "select id, name, data, state, retry_count as n, output ->> 'message' as error, deletion_seconds as s from jobs.job",
  )
  expect(rows).toEqual([
    ...[{ id, name: 'test.buried', data: { n: 5 }, state: 'failed', n: 3, error: 'It was late', s: 30 * 86_400 }],
  ])
  expect((await after.findQueues()).map(({ name }) => name)).not.toContain('dead-letters')
  await after.stop()
  await opened.kysely.destroy()
  await own.drop()
})
