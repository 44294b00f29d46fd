import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backup } from '@agency/contract/backups'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { lent } from '../../../test/database.ts'
import type { Caller } from '../../../test/request.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded/start.ts'
import { migrate } from '../../db/migrate.ts'
import { backupsEnv, restoreAs, rootOf } from './test/world.ts'

// With the settings of a console in earnest: durable, and its journal kept.
let postgres: EmbeddedPostgres
let t: TestContext
let root: Caller
let dataDir: string

beforeAll(async () => {
  const env = await backupsEnv()
  dataDir = env['DATA_DIR'] ?? ''
  postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  await migrate(postgres.connectionString)
  t = await createTestContext({ env, database: lent(postgres.connectionString) })
  root = await rootOf(t)
})
afterAll(async () => {
  await t?.close()
  await postgres?.stop()
})

const add = (name: string) =>
  t.ctx.pool.query(
    `insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source) values ($1, $1, now(), '{}', 1, now(), 'backfill')`,
    [name],
  )
const names = async () => (await t.ctx.pool.query('select id from customers order by id')).rows.map(({ id }) => id)

async function make(path: string, body: object): Promise<Backup> {
  const answer = await root.post(path, body)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await t.runJobs()
  return (await root.get(`/admin/backups/${answer.json().backup.id}`)).json().backup
}
const incremental = (name: string) => make('/admin/backups', { type: 'incremental', name })

test('a base and three incrementals bring the data to a moment between two writes', async () => {
  expect((await root.get('/admin/backups')).json().incremental_blocked).toBeNull()
  await add('before')
  const base = await incremental('Base')
  expect(base).toMatchObject({ state: 'done', type: 'incremental', chain: { base_id: null } })
  const links: Backup[] = []
  let between = ''
  for (const n of [1, 2, 3]) {
    await add(`during-${n}`)
    if (n === 2) {
      await sleep(50)
      between = new Date().toISOString()
      await sleep(50)
      await add('too-late')
    }
    links.push(await incremental(`Increment ${n}`))
  }
  expect(links.map(({ chain, state }) => [chain?.base_id, state])).toEqual(links.map(() => [base.id, 'done']))
  // Each holds its part of the journal alone, and what it holds is not kept twice.
  for (const { size } of links) expect(size).toBeLessThan((base.size ?? 0) / 2)
  await runJob(t.ctx, 'backups.make_sweep')
  expect(readdirSync(join(dataDir, 'pg', 'wal-archive')).filter((name) => /^[0-9A-F]{24}$/.test(name))).toEqual([])

  const moment = await make(`/admin/backups/${links[2]?.id}/moment`, { at: between, name: 'Between' })
  expect(moment).toMatchObject({ state: 'done', type: 'full' })
  expect(Date.parse(moment.snapshot_at ?? '')).toBe(Date.parse(between))
  expect(existsSync(join(dataDir, 'moment'))).toBe(false)
  await restoreAs(t, root, moment)
  expect(await names()).toEqual(['before', 'during-1', 'during-2'])
})

test('moments that the chain does not reach are refused, and a link that others need stays', async () => {
  const { backups } = (await root.get('/admin/backups?limit=100')).json() as { backups: Backup[] }
  const chain = backups.filter(({ type }) => type === 'incremental')
  const base = chain.find(({ chain: own }) => own?.base_id === null)!
  for (const at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']) {
    const answer = await root.post(`/admin/backups/${base.id}/moment`, { at, name: 'Never' })
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, 'at'])
  }
  expect((await root.delete(`/admin/backups/${base.id}`)).statusCode).toBe(409)
  const direct = await root.post(`/admin/backups/${base.id}/restore`, { confirmation: 'Base', identity_proof: 'x' })
  expect(direct.json().detail).toContain('full backup of a point in time')
})

test('a gap in the journal begins a new chain', async () => {
  await add('after the restore')
  await t.ctx.pool.query('select 1')
  const journal = join(dataDir, 'pg', 'wal-archive')
  const { rmSync } = await import('node:fs')
  rmSync(journal, { recursive: true })
  const next = await incremental('New chain')
  expect(next).toMatchObject({ state: 'done', chain: { base_id: null } })
})
