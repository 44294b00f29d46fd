import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
  await insertRows(one.ctx.pool, 'customers', [{ id: 'cus_1', name: 'Ada' }])
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const body = { customer_id: 'cus_1', reason: 'Asked us to look' }

async function startedIn({ ctx }: TestContext) {
  const { key } = await createPerson(one, { role: 'admin' })
  const started = await request(ctx).withKey(key).post('/admin/impersonations/view', body)
  const id: string = started.json().impersonation.id
  const look = async (process: TestContext) =>
    (await request(process.ctx).withKey(key).get(`/admin/impersonations/${id}/account`)).statusCode
  return { key, id, look }
}

const endsOf = async (id: string): Promise<number> => {
  const { rows } = await one.ctx.pool.query(
    `select count(*) as ends from audit_entries where action = 'impersonation.end' and after ->> 'impersonation_id' = $1`,
    [id],
  )
  return Number(rows[0].ends)
}

test('a view that one process opened and another ended is over in both', async () => {
  const { key, id, look } = await startedIn(one)
  expect([await look(one), await look(two)]).toEqual([200, 200])
  expect((await request(two.ctx).withKey(key).post(`/admin/impersonations/${id}/end`, {})).statusCode).toBe(200)
  expect([await look(one), await look(two)]).toEqual([409, 409])
  expect(await endsOf(id)).toBe(1)
})

test('of many that notice the end at the same moment, one writes it down', async () => {
  const { id, look } = await startedIn(one)
  one.clock.advance(30 * 60_000 - 1)
  expect(await look(two)).toBe(200)
  one.clock.advance(1)
  const both = [one, two, one, two]
  await Promise.all([...both.map(look), ...both.map(({ ctx }) => runJob(ctx, 'impersonation.settle'))])
  expect(await endsOf(id)).toBe(1)
})
