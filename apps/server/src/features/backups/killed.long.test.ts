import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backup, Restore } from '@agency/contract/backups'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { startJobConsole } from '../../../test/job-console.ts'
import type { Caller } from '../../../test/request.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { backupsEnv, newestRestore, rootOf } from './test/world.ts'

const count = 40_000
let t: TestContext
let root: Caller
let env: Record<string, string>
let folder: string

beforeAll(async () => {
  env = await backupsEnv()
  folder = join(env['DATA_DIR'] ?? '', 'backups')
  t = await createTestContext({ env, jobs: 'real' })
  root = await rootOf(t)
  await t.ctx.pool.query(
    `insert into customers (id, name, email, created_at, raw, fetch_seq, fetched_at, source)
     select 'cus_' || n, 'Customer ' || n, 'customer-' || n || '@example.com', now(), '{}', 1, now(), 'backfill'
     from generate_series(1, $1::int) n`,
    [count],
  )
})
afterAll(() => t?.close())

const holds = {
  /** Lets no step end that writes a backup down, nor the tables change places. */
  ends: 'select from backups for update',
  /** Stops a step that writes the rows in the midst of them. */
  rows: 'lock table customers in access exclusive mode',
}

async function hold(sql: string): Promise<() => Promise<void>> {
  const client = await t.ctx.pool.connect()
  await client.query('begin')
  await client.query(sql)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 9000; tries++) {
    if (await holds()) return
    await sleep(10)
  }
  throw new Error(`never: ${what}`)
}

const startWorker = (hasSilentStripe = false) =>
  startJobConsole({ does: 'backups.', connectionString: t.database.connectionString, env, hasSilentStripe })
const shown = async (id: string): Promise<Backup> => (await root.get(`/admin/backups/${id}`)).json().backup
const order = async (name: string): Promise<string> =>
  (await root.post('/admin/backups', { type: 'full', name })).json().backup.id
const countCustomers = async () => (await t.ctx.pool.query('select count(*)::int as n from customers')).rows[0].n

async function isCopying(): Promise<boolean> {
  const { rows } = await t.ctx.pool.query(
    `select from pg_stat_progress_copy where command = 'COPY FROM' and datname = current_database()`,
  )
  return rows.length > 0
}

/** Which step runs, and by which try. */
async function tryOf(run: string): Promise<{ name: string; attempts: number } | undefined> {
  const { rows } = await t.ctx.pool.query(
    `select name, attempts from run_steps where run_id = $1 and state = 'running'`,
    [run],
  )
  return rows[0]
}

type Kill = { held?: keyof typeof holds; when?: () => Promise<boolean> }

/** Kills a console in the middle of a step of the run. What it was at still says so, so it is a try of its own. */
async function killIn(run: string, step: string, { held, when }: Kill): Promise<void> {
  const before = await tryOf(run)
  const release = held && (await hold(holds[held]))
  const worker = await startWorker(step === 'replay')
  await until(`in ${step}`, async () => {
    const now = await tryOf(run)
    return now?.name === step && (before?.name !== step || now.attempts > before.attempts)
  })
  if (when) await until(`in the midst of ${step}`, when)
  else await sleep(30)
  await worker.kill()
  await release?.()
  await t.ctx.pool.query(`update runs set next_try_at = now() - interval '1 second' where id = $1`, [run])
}

const orderRestore = ({ id, name }: Backup) =>
  root.post(`/admin/backups/${id}/restore`, { confirmation: name, identity_proof: testAdminKey })

async function whole(name: string): Promise<Backup> {
  const id = await order(name)
  const worker = await startWorker()
  await until('it is made', async () => (await shown(id)).state === 'done')
  await worker.kill()
  return shown(id)
}

test('a backup that is killed in each of its steps is none, and is made whole by the next process', async () => {
  const id = await order('Killed')
  const files = () => readdir(folder).catch(() => [])
  const kills: [string, Kill][] = [
    ['write', { held: 'rows', when: async () => (await files()).some((file) => file.endsWith('.part')) }],
    ['read_back', { held: 'ends' }],
  ]
  for (const [step, how] of kills) {
    await killIn(id, step, how)
    expect((await shown(id)).state).toBe('running')
    // A file that was read back has its name already; it counts once that is written down.
    if (step === 'write') expect(await files()).toEqual([`${id}.1.part`])
    expect((await orderRestore(await shown(id))).statusCode).toBe(409)
  }
  const last = await startWorker()
  await until('it is done', async () => (await shown(id)).state === 'done')
  await last.kill()
  expect((await shown(id)).rows).toBeGreaterThan(count)
  expect((await readdir(folder)).filter((file) => file.startsWith(id))).toEqual([`${id}.backup`])
})

test('a restore that is killed in each of its steps leaves the old state or the new one, and ends in the new one', async () => {
  const backup = await whole('To restore')
  await t.ctx.pool.query(`insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source)
    values ('cus_late', 'Late', now(), '{}', 1, now(), 'backfill')`)
  const { id } = (await orderRestore(backup)).json().restore as Restore
  const kills: (Kill & { step: string })[] = [
    { step: 'safety', held: 'ends' },
    { step: 'load', when: isCopying },
    { step: 'switch', held: 'ends' },
    { step: 'replay' },
  ]
  for (const { step, ...how } of kills) {
    await killIn(id, step, how)
    // All of the one, or all of the other.
    const isNew = step === 'replay'
    expect([step, await countCustomers()]).toEqual([step, isNew ? count : count + 1])
    expect(await newestRestore(root)).toMatchObject({
      state: isNew ? 'replaying' : 'open',
      switched_at: isNew ? expect.any(String) : null,
    })
  }
  const last = await startWorker()
  await until('it is done', async () => (await newestRestore(root)).state === 'done')
  await last.kill()
  expect(await countCustomers()).toBe(count)
  const { rows } = await t.ctx.pool.query(
    `select count(*)::int as n from audit_entries where action = 'backup.restore' and after ->> 'state' = 'done'`,
  )
  expect(rows[0].n).toBe(1)
})
