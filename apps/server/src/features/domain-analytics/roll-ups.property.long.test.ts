import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import type { Bucket } from './figures.ts'
import { dayMs } from './period.ts'
import { findDays, saveDays } from './queries/days.ts'

const first = Date.parse('2026-11-01T00:00:00Z')
const span = { since: first, until: first + 10 * dayMs }

let t: TestContext
beforeAll(async () => {
  t = await createTestContext()
})
afterAll(() => t.close())
beforeEach(() => t.ctx.pool.query('delete from domain_analytics_days'))

type Reading = { at: number; days: Bucket[] }

const figuresOf = (requests: number) => ({
  requests,
  cached_requests: Math.floor(requests / 2),
  bytes: requests * 100,
  cached_bytes: requests * 40,
  threats: 0,
  page_views: requests,
  unique_visitors: Math.floor(requests / 3),
})

/** A reading of some days in a row: a day that is over is whole, the figures of a running one still grow. */
const reading = fc
  .record({
    from: fc.nat(9),
    count: fc.integer({ min: 1, max: 10 }),
    at: fc.integer({ min: 0, max: 12 * 24 }),
    sampled: fc.boolean(),
    noise: fc.nat(3),
  })
  .map(({ from, count, at, sampled, noise }): Reading => {
    const days = Array.from({ length: Math.min(count, 10 - from) }, (_, index) => first + (from + index) * dayMs)
    const readAt = first + at * 3_600_000
    return {
      at: readAt,
      days: days
        .filter((day) => day <= readAt)
        .map((day) => {
          const isPartial = readAt < day + dayMs
          const share = Math.min(24, Math.floor((readAt - day) / 3_600_000))
          const exact = 100 * share + ((day / dayMs) % 7)
          return { at: day, ...figuresOf(sampled ? Math.max(0, exact - noise) : exact), isPartial, isSampled: sampled }
        }),
    }
  })

async function keep(readings: readonly Reading[]): Promise<Bucket[]> {
  await t.ctx.pool.query('delete from domain_analytics_days')
  for (const { at, days } of readings) {
    await saveDays(
      t.ctx.db,
      days.map((bucket) => ({ zoneId: 'z', bucket })),
      new Date(at),
    )
  }
  return await findDays(t.ctx.db, 'z', span)
}

test('whatever the order of readings, no day is lost, none is there twice, and a whole one is never replaced by less', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(reading, { minLength: 1, maxLength: 6, selector: ({ at }) => at }),
      fc.infiniteStream(fc.nat()),
      async (readings, chance) => {
        const kept = await keep(readings)
        const shuffled = [...readings].sort(() => (chance.next().value % 2 === 0 ? 1 : -1))
        expect(await keep([...shuffled, ...readings])).toEqual(kept)
        const read = readings.flatMap(({ days }) => days)
        expect(kept.map(({ at }) => at)).toEqual([...new Set(read.map(({ at }) => at))].sort((a, b) => a - b))
        for (const day of kept) {
          const same = read.filter(({ at }) => at === day.at)
          const whole = same.filter(({ isPartial }) => !isPartial)
          const exact = whole.filter(({ isSampled }) => !isSampled)
          expect(day.isPartial).toBe(whole.length === 0)
          if (exact.length > 0) expect(day).toEqual(exact[0])
          else if (whole.length > 0) expect(day.requests).toBe(Math.max(...whole.map(({ requests }) => requests)))
        }
      },
    ),
    { numRuns: 60 },
  )
})
