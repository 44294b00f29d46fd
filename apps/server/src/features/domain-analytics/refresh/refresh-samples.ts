import type { AppContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { failureOf, isGeneral } from '../failure.ts'
import { dayMs, floorTo, hourMs } from '../period.ts'
import { type DatasetLimits, smallestLimits } from '../provider/limits.ts'
import { askSamples } from '../provider/samples.ts'
import { findUnsampled, noteSamplesTried, saveSamples } from '../queries/samples.ts'
import { findStates } from '../queries/zones.ts'
import { chunks } from './refresh-days.ts'
import { pieces, windowStart } from './window.ts'

type Where = Pick<AppContext, 'db' | 'clock'>
type Wanted = { zoneId: string; from: number; limits: DatasetLimits }

const zonesTogether = 10
/** So long nothing is asked again: today's samples grow, and what the plan refuses stays refused. */
const lifetimeMs = hourMs / 2
/** No plan gives samples for longer. */
const longestDays = 100
/** A tenth of what Cloudflare allows in its five minutes; the other zones have their turn the next time. */
const mostQuestions = 30

/** Which days of these zones are to be read, as far as no plan was asked for them lately. */
export const findWanted = ({ db, clock }: Where, zoneIds: readonly string[]): Promise<Map<string, number[]>> =>
  findUnsampled(db, zoneIds, {
    triedBefore: new Date(clock() - lifetimeMs),
    since: floorTo(clock(), dayMs) - longestDays * dayMs,
  })

/**
 * Reads visits and server errors of kept days that the samples still tell of. What a plan refuses is left unknown; a
 * failure that concerns all zones ends it, and so does having asked enough.
 */
export async function refreshSamples(
  where: Where,
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
  deadline: number,
): Promise<void> {
  const now = where.clock()
  const unsampled = await findWanted(where, zoneIds)
  const states = await findStates(where.db, [...unsampled.keys()])
  const wanted = [...unsampled].flatMap(([zoneId, days]): Wanted[] => {
    const limits = (states.get(zoneId)?.limits ?? smallestLimits).samples
    const start = Math.min(windowStart(limits, dayMs, now), floorTo(now, dayMs))
    const from = days.find((day) => day >= start)
    return limits.enabled && from !== undefined ? [{ zoneId, from, limits }] : []
  })
  const groups = Map.groupBy(wanted, ({ from, limits }) => `${from}/${limits.maxDuration}`)
  let asked = 0
  for (const group of [...groups.values()].flatMap((each) => chunks(each, zonesTogether))) {
    if (Date.now() >= deadline || asked >= mostQuestions) return
    const questions = await readGroup(where, gateway, group)
    if (questions === null) return
    asked += questions
  }
}

/** Answers how much it asked; null after a failure that the other zones would meet too. */
async function readGroup(
  { db, clock }: Where,
  gateway: CloudflareGateway,
  group: readonly Wanted[],
): Promise<number | null> {
  const [head] = group
  if (!head) return 0
  const now = clock()
  const ids = group.map(({ zoneId }) => zoneId)
  const days = pieces(head.from, floorTo(now, dayMs), head.limits)
  try {
    for (const piece of days) {
      const read = await askSamples(gateway, ids, piece, now)
      await saveSamples(
        db,
        [...read].flatMap(([zoneId, sampled]) => sampled.map((day) => ({ zoneId, day }))),
      )
    }
  } catch (error) {
    if (isGeneral(failureOf(error))) return null
  }
  await noteSamplesTried(db, ids, new Date(now))
  return days.length
}
