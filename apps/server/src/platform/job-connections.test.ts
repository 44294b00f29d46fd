import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { sessionLock } from './job-connections.ts'

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
