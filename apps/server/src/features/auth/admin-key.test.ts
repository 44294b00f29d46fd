import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { getSession, logIn } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { makeKey } from './admin-key.ts'
import { ensureAdminKey, makeAdminKey } from './index.ts'

const environmentKey = 'chosen-by-an-administrator'

let open: TestContext[] = []
let first: TestContext

beforeEach(async () => {
  first = await createTestContext()
  open = [first]
})

afterEach(async () => {
  for (const process of open.reverse()) await process.close()
})

/** Another start on the same database. */
async function startAgain(env: Record<string, string> = {}): Promise<[TestContext, string | undefined]> {
  const process = await createTestContext({ env, database: first.database })
  open.push(process)
  return [process, await start(process)]
}

const start = ({ ctx }: TestContext) => ensureAdminKey(asSystem(ctx, 'job', 'start'))
const statusOf = async (process: TestContext, key: string) => (await logIn(process, key)).statusCode

describe('the admin key', () => {
  test('is made on the first start, told once and readable', async () => {
    const key = await start(first)
    expect(key).toMatch(/^([a-hj-km-np-z2-9]{8}-){6}[a-hj-km-np-z2-9]{8}$/)
    expect(await statusOf(first, key ?? '')).toBe(200)
    const [again, told] = await startAgain()
    expect(told).toBeUndefined()
    expect(await statusOf(again, key ?? '')).toBe(200)
  })

  test('is made once when several consoles start at the same time', async () => {
    const second = await createTestContext({ database: first.database })
    open.push(second)
    const keys = (await Promise.all([start(first), start(second)])).filter((key) => key !== undefined)
    expect(keys).toHaveLength(1)
    expect(await statusOf(second, keys[0] ?? '')).toBe(200)
  })

  test('of the environment takes the place of a stored one, and stays without the environment', async () => {
    const made = (await start(first)) ?? ''
    const [withEnvironment] = await startAgain({ ADMIN_KEY: environmentKey })
    expect(await statusOf(withEnvironment, environmentKey)).toBe(200)
    expect(await statusOf(first, made)).toBe(401)
    const [without, told] = await startAgain()
    expect(told).toBeUndefined()
    expect(await statusOf(without, environmentKey)).toBe(200)
  })

  test('made anew holds at once in a console that runs; sessions go on; the environment wins at the next start', async () => {
    const [running] = await startAgain({ ADMIN_KEY: environmentKey })
    const session = (await logIn(running, environmentKey)).json().session_key
    expect((await getSession(running, environmentKey)).statusCode).toBe(200)
    const made = await makeAdminKey(asSystem({ db: first.ctx.db, clock: Date.now }, 'job', 'npm run admin-key'))
    expect(await statusOf(running, made)).toBe(200)
    await eventually(async () => expect((await getSession(running, environmentKey)).statusCode).toBe(401))
    expect((await getSession(running, session)).statusCode).toBe(200)
    const entries = await first.ctx.db
      .selectFrom('audit_entries')
      .select(['actor_name', 'after'])
      .where('action', '=', 'admin_key.replace')
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { actor_name: 'start', after: { source: 'environment' } },
      { actor_name: 'npm run admin-key', after: { source: 'made' } },
    ])
    const [again] = await startAgain({ ADMIN_KEY: environmentKey })
    expect(await statusOf(again, environmentKey)).toBe(200)
    expect(await statusOf(again, made)).toBe(401)
  })

  test('switched off stays off until a new one is made', async () => {
    const made = (await start(first)) ?? ''
    await first.ctx.pool.query(
      `update instance_settings set value = value || '{"enabled": false}' where key = 'admin_key'`,
    )
    expect(await statusOf(first, made)).toBe(401)
    const [again, told] = await startAgain({ ADMIN_KEY: environmentKey })
    expect(told).toBeUndefined()
    expect(await statusOf(again, environmentKey)).toBe(401)
    const next = await makeAdminKey(asSystem(again.ctx, 'job', 'npm run admin-key'))
    expect(await statusOf(again, next)).toBe(200)
  })
})

test('made keys are never alike', () => {
  expect(new Set(Array.from({ length: 1000 }, makeKey)).size).toBe(1000)
})
