import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { sessionLock } from './session-lock.ts'

let test_: TestDatabase
let database: Database

beforeAll(async () => {
  test_ = await createTestDatabase()
  database = createDatabase(test_.connectionString, { max: 1 })
})
afterAll(async () => {
  await database.kysely.destroy()
  await test_.drop()
})

test('more locks than the pool has connections leave it free for the work', async () => {
  const held = [await sessionLock(database.pool, 'one'), await sessionLock(database.pool, 'two')]
  const { rows } = await database.pool.query<{ answer: number }>('select 1 as answer')
  expect(rows).toEqual([{ answer: 1 }])
  for (const release of held) await release?.()
})

test('a lock is held by one, and by the next once it is released', async () => {
  const release = await sessionLock(database.pool, 'mine')
  expect(await sessionLock(database.pool, 'mine')).toBeNull()
  await release?.()
  const again = await sessionLock(database.pool, 'mine')
  expect(again).not.toBeNull()
  await again?.()
})

test('its connection is one for all, and what it held is free once it is lost', async () => {
  const held = [await sessionLock(database.pool, 'first'), await sessionLock(database.pool, 'second')]
  const ofLocks = `from pg_stat_activity where application_name = 'agency-console locks' and datname = current_database()`
  expect((await database.pool.query(`select 1 ${ofLocks}`)).rowCount).toBe(1)
  await database.pool.query(`select pg_terminate_backend(pid) ${ofLocks}`)
  await expect.poll(async () => (await database.pool.query(`select 1 ${ofLocks}`)).rowCount).toBe(0)
  await expect.poll(() => sessionLock(database.pool, 'first').catch(() => null)).not.toBeNull()
  for (const release of held) await release?.()
  expect(await sessionLock(database.pool, 'first')).toBeNull()
})

test('of two that ask at once one holds it', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, () => sessionLock(database.pool, 'wanted')))
  const held = asked.filter((release) => release !== null)
  expect(held).toHaveLength(1)
  const other = createDatabase(test_.connectionString, { max: 1 })
  expect(await sessionLock(other.pool, 'wanted')).toBeNull()
  await held[0]?.()
  expect(await sessionLock(other.pool, 'wanted')).not.toBeNull()
  await other.pool.end()
  await expect.poll(() => sessionLock(database.pool, 'wanted')).not.toBeNull()
})
