import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { type Order, type PoolMode, startPooler } from '../../test/pooler.ts'
import { openDatabase } from './connect.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

async function open(mode: PoolMode, size: number, order?: Order): Promise<string> {
  const pooler = await startPooler(database.connectionString, { mode, size, ...(order && { order }) })
  try {
    const config = { dataDir: '/nowhere', databaseUrl: pooler.url, host: '127.0.0.1', port: 3000 }
    const opened = await openDatabase(config, log, { patienceMs: 0 })
    await opened.stop()
    return 'opened'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await pooler.close()
  }
}

const refusal =
  /^DATABASE_URL leads to a connection pooler that gives each transaction another connection .+: set pool_mode = session, or .+ DATABASE_URL$/

test.each<[number, Order]>([
  [1, 'last'],
  [2, 'last'],
  [10, 'last'],
  [2, 'longest idle'],
  [3, 'longest idle'],
  [10, 'longest idle'],
])('refuses a pooler with %i connections that gives each transaction the one used %s', async (size, order) => {
  expect(await open('transaction', size, order)).toMatch(refusal)
})

test('opens the database behind a pooler that lets a session keep its connection', async () => {
  expect(await open('session', 10)).toBe('opened')
})
