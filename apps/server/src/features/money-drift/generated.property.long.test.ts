import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import type { CloudflareGateway } from '../../integrations/cloudflare/gateway.ts'
import { drifts } from './test/drifts.ts'
import { innocents } from './test/innocents.ts'
import { connection, now } from './test/part.ts'
import { addSources, clearParts, makePart } from './test/world.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now, cloudflare: { connection } as CloudflareGateway })
  await addSources(t.ctx.pool)
})
afterAll(() => t.close())

const kinds = [...Object.keys(drifts), ...Object.keys(innocents)]
const worlds = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 40 })

async function found(names: readonly string[]): Promise<string[]> {
  await clearParts(t.ctx.pool)
  for (const [index, name] of names.entries()) await makePart(t.ctx.pool, name, index + 1)
  await runJob(t.ctx, 'money_drift.refresh')
  const rows: string[] = []
  for (let after = ''; ; ) {
    const answer = (await request(t.ctx).as('super_admin').get(`/money-drift?limit=100${after}`)).json()
    rows.push(...answer.drift.map(({ id }: { id: string }) => id))
    if (!answer.has_more) return rows.sort()
    after = `&starting_after=${answer.drift.at(-1).id}`
  }
}

test('in any world all drift is found, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (names) => {
      const wanted = names.flatMap((name, index) => drifts[name]?.row(index + 1) ?? []).sort()
      expect(await found(names)).toEqual(wanted)
    }),
    { numRuns: 150 },
  )
})
