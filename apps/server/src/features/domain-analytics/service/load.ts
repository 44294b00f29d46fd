import type { AnalyticsError } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { notConnected } from '../failure.ts'
import type { Bucket } from '../figures.ts'
import { dayMs, floorTo, hourMs, type Period, periodBefore } from '../period.ts'
import { daysDataset, type PlanLimits, smallestLimits } from '../provider/limits.ts'
import { askHours } from '../provider/traffic.ts'
import { findDays, findKept } from '../queries/days.ts'
import { findStates, type ZoneState } from '../queries/zones.ts'
import { readKept } from '../refresh/cached-read.ts'
import { lifetimeMs, needsDays } from '../refresh/refresh-all.ts'
import { refreshDays } from '../refresh/refresh-days.ts'
import { windowStart } from '../refresh/window.ts'

type Where = Pick<AppContext, 'db' | 'clock' | 'cloudflare' | 'instance'>

export type Loaded = {
  buckets: Bucket[]
  windowStart: number
  fetchedAt: number | null
  isOld: boolean
  error: AnalyticsError | null
  limits: PlanLimits | null
  keptSince: number | null
}

async function stateOf({ db }: Where, zoneId: string): Promise<ZoneState> {
  const state = (await findStates(db, [zoneId])).get(zoneId)
  if (!state) throw new Error('A state was requested and not answered')
  return state
}

/** Days are read whatever is asked for: they also tell the plan's limits, and whether there is access at all. */
async function freshState(ctx: Where, zoneId: string): Promise<ZoneState> {
  const state = await stateOf(ctx, zoneId)
  if (!ctx.cloudflare || !needsDays(state, ctx.clock())) return state
  await refreshDays(ctx, ctx.cloudflare, [zoneId])
  return await stateOf(ctx, zoneId)
}

async function loadDays(ctx: Where, state: ZoneState, limits: PlanLimits, period: Period) {
  const before = periodBefore(period)
  const buckets = await findDays(ctx.db, state.zoneId, { since: before.since, until: period.until })
  return {
    buckets,
    windowStart: windowStart(daysDataset(limits), dayMs, ctx.clock()),
    fetchedAt: state.daysAt,
    isOld: state.daysAt !== null && ctx.clock() - state.daysAt >= lifetimeMs,
    error: ctx.cloudflare ? state.failure : notConnected,
  }
}

/** All hours that the plan gives, so that any range and the time before it come from one answer. */
async function loadHours(ctx: Where, state: ZoneState, limits: PlanLimits) {
  const now = ctx.clock()
  const until = floorTo(now, hourMs) + hourMs
  const start = Math.max(
    windowStart(limits.hours, hourMs, now),
    until - Math.floor(limits.hours.maxDuration / 3600) * hourMs,
  )
  const read = await readKept(
    ctx,
    { zoneId: state.zoneId, name: 'hours' },
    (_answer: Bucket[], fetchedAt) => floorTo(fetchedAt, hourMs) + hourMs === until,
    (gateway) => askHours(gateway, state.zoneId, { since: start, until }, now),
  )
  return {
    buckets: read.answer ?? [],
    windowStart: 0,
    fetchedAt: read.fetchedAt,
    isOld: read.fetchedAt !== null && now - read.fetchedAt >= lifetimeMs,
    error: read.error,
  }
}

/** The hours or days of a time and of the equal time before it, as far as anybody knows them. */
export async function loadTraffic(ctx: Where, zoneId: string, period: Period): Promise<Loaded> {
  const state = await freshState(ctx, zoneId)
  const limits = state.limits ?? smallestLimits
  const loaded = await (period.step === 'day' ? loadDays(ctx, state, limits, period) : loadHours(ctx, state, limits))
  const kept = (await findKept(ctx.db, [zoneId])).get(zoneId)
  return { ...loaded, limits: state.limits, keptSince: kept?.first ?? null }
}
