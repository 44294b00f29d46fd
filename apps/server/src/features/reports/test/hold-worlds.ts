import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/context.ts'
import { checkWorld, emptyWorld, writeWorld } from './check-world.ts'
import { now, worlds } from './world.ts'

/** So many unless PROPERTY_RUNS says another number. */
export function holdWorlds(howMany: string, usually: number): void {
  const runs = Number(process.env['PROPERTY_RUNS'] ?? usually)
  let t: TestContext
  beforeAll(async () => {
    t = await createTestContext({ now })
  })
  afterAll(() => t.close())

  test(
    `in ${howMany} generated worlds every bridge holds, and reports, dashboard, billing and the mirror agree to the cent`,
    async () => {
      await fc.assert(
        fc
          .asyncProperty(worlds, async (world) => {
            await writeWorld(t, world)
            await checkWorld(t, world)
          })
          .beforeEach(() => emptyWorld(t)),
        { numRuns: runs },
      )
    },
    10_000 * runs,
  )
}
