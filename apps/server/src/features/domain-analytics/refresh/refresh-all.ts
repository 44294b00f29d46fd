import type { AppContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { dayMs, floorTo } from '../period.ts'
import { claimZones, findStates, freeZones, type ZoneState } from '../queries/zones.ts'
import { chunks, refreshDays } from './refresh-days.ts'

type Where = Pick<AppContext, 'db' | 'clock'>

/** For how long figures are good, and for how long a failure is not tried again. */
export const lifetimeMs = 300_000
const backOffMs = 10_000
/** Longer than the questions of one round take. */
const leaseMs = 60_000
/** Of so many zones limits and days are asked together, before the deadline is looked at. */
const roundSize = 50

type Tried = { failedAt: number | null; failure: { retry_after: number | null } | null }

/** After a failure nothing is asked for a while. */
export const isWaiting = ({ failedAt, failure }: Tried, now: number): boolean =>
  failedAt !== null && now < failedAt + Math.max(backOffMs, (failure?.retry_after ?? 0) * 1000)

/** What was read before midnight does not know the day that began. */
const isOld = (daysAt: number, now: number): boolean =>
  now - daysAt >= lifetimeMs || floorTo(daysAt, dayMs) !== floorTo(now, dayMs)

export const needsDays = ({ daysAt, ...tried }: ZoneState, now: number): boolean =>
  (daysAt === null || isOld(daysAt, now)) && !isWaiting(tried, now)

/** Brings the days of all these zones up to date until the deadline. Returns whether none is left. */
export async function refreshAll(
  where: Where,
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
  deadline: number,
): Promise<boolean> {
  const states = await findStates(where.db, zoneIds)
  const due = zoneIds.filter((id) => {
    const state = states.get(id)
    return state !== undefined && needsDays(state, where.clock())
  })
  for (const round of chunks(due, roundSize)) {
    if (Date.now() >= deadline) return false
    const now = where.clock()
    const claimed = await claimZones(where.db, round, { now: new Date(now), until: new Date(now + leaseMs) })
    try {
      if (claimed.length > 0) await refreshDays(where, gateway, claimed)
    } finally {
      await freeZones(where.db, claimed)
    }
  }
  return true
}
