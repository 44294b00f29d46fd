import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exported } from '@agency/contract/exports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportsEnv, personAs, takeFile } from '../../../test/exports.ts'
import { startJobConsole } from '../../../test/job-console.ts'
import type { Caller } from '../../../test/request.ts'

const count = 100_000
let t: TestContext
let env: Record<string, string>
let folder: string
let root: Caller

beforeAll(async () => {
  env = await exportsEnv()
  folder = join(env['DATA_DIR'] ?? '', 'exports')
  t = await createTestContext({ env, jobs: 'real' })
  root = await personAs(t, 'super_admin')
  await t.ctx.pool.query(
    `insert into customers (id, name, email, created_at, raw, fetch_seq, fetched_at, source)
     select 'cus_' || n, 'Customer ' || n, 'customer-' || n || '@example.com', now(), '{}', 1, now(), 'backfill'
     from generate_series(1, $1::int) n`,
    [count],
  )
})
afterAll(() => t?.close())

const shown = async (id: string): Promise<Exported> => (await root.get(`/exports/${id}`)).json().export

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (await holds()) return
    await sleep(25)
  }
  throw new Error(`never: ${what}`)
}

const order = async (): Promise<string> =>
  (await root.post('/exports', { kind: 'customers', format: 'csv', parameters: {} })).json().export.id

/** Half of the rows are there, and the file is not whole. */
async function untilHalfWay(id: string): Promise<void> {
  await until('rows are written', async () => {
    const { state, rows_done } = await shown(id)
    if (state === 'ready') throw new Error('It was made before it could be killed')
    return state === 'running' && rows_done > 0 && existsSync(join(folder, `${id}.1.part`))
  })
}

test('killed half-way, offers nothing, and is made whole by the next process', async () => {
  const id = await order()
  const first = await startJobConsole({ does: 'exports.', connectionString: t.database.connectionString, env })
  await untilHalfWay(id)
  await first.kill()
  expect((await shown(id)).state).toBe('running')
  expect((await root.post(`/exports/${id}/link`)).statusCode).toBe(409)
  expect(existsSync(join(folder, id))).toBe(false)

  const second = await startJobConsole({ does: 'exports.', connectionString: t.database.connectionString, env })
  try {
    await until('the next process made it', async () => (await shown(id)).state === 'ready')
  } finally {
    await second.kill()
  }
  const file = await takeFile(t, (await root.post(`/exports/${id}/link`)).json().url)
  const [, ...rows] = parseCsv(file.body.slice(1))
  expect(new Set(rows.map((cells) => cells.at(-1))).size).toBe(count)
  expect(await readdir(folder)).toEqual([id])
})

test('killed each time, ends as failed, and says so', async () => {
  const id = await order()
  for (let times = 0; times < 4; times++) {
    const console_ = await startJobConsole({ does: 'exports.', connectionString: t.database.connectionString, env })
    await until('another try', async () => {
      const { rows } = await t.ctx.pool.query('select tries, rows_done from exports where id = $1', [id])
      return rows[0].tries === times + 1 && rows[0].rows_done > 0
    })
    await console_.kill()
  }
  const last = await startJobConsole({ does: 'exports.', connectionString: t.database.connectionString, env })
  try {
    await until('it failed', async () => (await shown(id)).state === 'failed')
  } finally {
    await last.kill()
  }
  expect((await shown(id)).reason).toBe('Interrupted by console restarts')
  expect(existsSync(join(folder, id))).toBe(false)
})
