import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { mostCalls } from '../../integrations/cloudflare/allowance.ts'
import { createAllowance } from '../../platform/allowance.ts'
import { findAllowance } from './queries/allowance.ts'

let t: TestContext
let second: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:01Z' })
  second = await createTestContext({ database: t.database, clock: t.clock })
})
afterAll(async () => {
  await second.close()
  await t.close()
})

test('600 calls fit into five minutes, whichever process asks; walks leave a third to people', async () => {
  const [mine, theirs] = [createAllowance(t.ctx, 'c1', mostCalls), createAllowance(second.ctx, 'c1', mostCalls)]
  const take = async (share: number, times: number) => {
    const permits = await Promise.all(
      Array.from({ length: times }, (_, index) => (index % 2 === 0 ? mine : theirs).take('rest', share)),
    )
    return permits.filter(({ isAllowed }) => isAllowed).length
  }
  expect(await take(2 / 3, 450)).toBe(400)
  expect(await take(1, 250)).toBe(200)
  expect(await mine.take('rest', 1)).toMatchObject({ isAllowed: false, isBlocked: false })
  expect(await createAllowance(t.ctx, 'another', mostCalls).take('rest', 1)).toEqual({ isAllowed: true })
  expect(await findAllowance(t.ctx, 'c1')).toMatchObject({
    rest: { used: 600, limit: 600, blocked_until: null },
    graphql: { used: 0, limit: 300 },
  })
  const refusal = await mine.take('rest', 1)
  const wait = refusal.isAllowed ? 0 : refusal.retryAfter
  expect(wait).toBeGreaterThan(290)
  t.clock.advance(wait * 1000)
  expect(await mine.take('rest', 1)).toEqual({ isAllowed: true })
})

test('after "wait" nothing is let through by any process until it is over, and a shorter one changes nothing', async () => {
  const [mine, theirs] = [createAllowance(t.ctx, 'c2', mostCalls), createAllowance(second.ctx, 'c2', mostCalls)]
  await mine.block('rest', 300)
  await mine.block('rest', 10)
  expect(await theirs.take('rest', 1)).toEqual({ isAllowed: false, isBlocked: true, retryAfter: 300 })
  expect(await theirs.take('graphql', 1)).toEqual({ isAllowed: true })
  expect((await findAllowance(t.ctx, 'c2')).rest.blocked_until).not.toBeNull()
  t.clock.advance(300_000)
  expect(await theirs.take('rest', 1)).toEqual({ isAllowed: true })
  expect((await findAllowance(t.ctx, 'c2')).rest).toMatchObject({ used: 1, blocked_until: null })
})
