import type { AnalyticsError } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { failureOf, isGeneral, noAccess } from '../failure.ts'
import type { Bucket } from '../figures.ts'
import { dayMs, floorTo } from '../period.ts'
import { askLimits, daysDataset, type PlanLimits, smallestLimits } from '../provider/limits.ts'
import { askSampledDays } from '../provider/sampled-days.ts'
import { askDays } from '../provider/traffic.ts'
import { findKept, type Kept, saveDays } from '../queries/days.ts'
import { findStates, saveFailure, saveLimits, saveSuccess, type ZoneState } from '../queries/zones.ts'
import { withQuietDays } from './quiet-days.ts'
import { pieces, readFrom, windowStart } from './window.ts'

type Where = Pick<AppContext, 'db' | 'clock'>

const zonesTogether = 10
const limitsLifeMs = 24 * 3_600_000

export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Reads the plan limits that are not known or a day old. What fails is decided later, by the smallest plan's limits. */
async function refreshLimits(
  { db, clock }: Where,
  gateway: CloudflareGateway,
  states: ReadonlyMap<string, ZoneState>,
): Promise<AnalyticsError | null> {
  const old = [...states.values()].filter(({ limitsAt }) => limitsAt === null || clock() - limitsAt > limitsLifeMs)
  for (const chunk of chunks(old, zonesTogether)) {
    try {
      const found = await askLimits(
        gateway,
        chunk.map(({ zoneId }) => zoneId),
      )
      const limits = [...found].map(([zoneId, each]) => ({ zoneId, limits: each }))
      for (const { zoneId, limits: each } of limits) {
        const state = states.get(zoneId)
        if (state) state.limits = each
      }
      await saveLimits(db, limits, new Date(clock()))
    } catch (error) {
      const failure = failureOf(error)
      if (isGeneral(failure)) return failure
    }
  }
  return null
}

type Wanted = { zoneId: string; from: number; limits: PlanLimits; first: number | undefined }

function wantedOf(state: ZoneState, kept: Kept | undefined, now: number): Wanted {
  const limits = state.limits ?? smallestLimits
  const start = windowStart(daysDataset(limits), dayMs, now)
  return { zoneId: state.zoneId, from: readFrom(state, kept, start, now), limits, first: kept?.first }
}

/** Zones that are asked for the same days in the same pieces may share a question. */
function groupsOf(wanted: readonly Wanted[]): Wanted[][] {
  const groups = new Map<string, Wanted[]>()
  for (const each of wanted) {
    const key = `${each.from}/${daysDataset(each.limits).maxDuration}/${each.limits.days.enabled}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].flatMap((group) => chunks(group, zonesTogether))
}

async function readGroup({ db, clock }: Where, gateway: CloudflareGateway, group: readonly Wanted[]): Promise<void> {
  const [head] = group
  if (!head) return
  const now = clock()
  const whole = { since: head.from, until: floorTo(now, dayMs) }
  const ids = group.map(({ zoneId }) => zoneId)
  const read = new Map<string, Bucket[]>()
  const ask = head.limits.days.enabled ? askDays : askSampledDays
  for (const piece of pieces(whole.since, whole.until, daysDataset(head.limits))) {
    for (const [id, days] of await ask(gateway, ids, piece, now)) read.set(id, [...(read.get(id) ?? []), ...days])
  }
  const rows = group.flatMap(({ zoneId, first }) => {
    const days = read.get(zoneId)
    return days ? withQuietDays(days, whole, first, now).map((bucket) => ({ zoneId, bucket })) : []
  })
  await saveDays(db, rows, new Date(now))
  await saveSuccess(db, [...read.keys()], whole.since, new Date(now))
  const refused = ids.filter((id) => !read.has(id))
  if (refused.length > 0) await saveFailure(db, refused, noAccess, new Date(now))
}

/** The limit that a refusal names, in seconds. */
function cutBy({ message }: AnalyticsError, limits: PlanLimits): PlanLimits | null {
  const older = /older than (\d+)s/.exec(message)?.[1]
  const wider = /wider than (\d+)s/.exec(message)?.[1]
  if (!older && !wider) return null
  const days = {
    ...limits.days,
    ...(older && { notOlderThan: Number(older) }),
    ...(wider && { maxDuration: Number(wider) }),
  }
  const isLess = days.notOlderThan < limits.days.notOlderThan || days.maxDuration < limits.days.maxDuration
  return isLess ? { ...limits, days } : null
}

/** One zone by itself: a limit that the refusal names is taken over and the question asked once more. */
async function readAlone(where: Where, gateway: CloudflareGateway, wanted: Wanted): Promise<void> {
  try {
    await readGroup(where, gateway, [wanted])
  } catch (error) {
    const failure = failureOf(error)
    const limits = failure.code === 'refused_range' ? cutBy(failure, wanted.limits) : null
    if (!limits) throw error
    await saveLimits(where.db, [{ zoneId: wanted.zoneId, limits }], new Date(where.clock()))
    const from = Math.max(wanted.from, windowStart(daysDataset(limits), dayMs, where.clock()))
    await readGroup(where, gateway, [{ ...wanted, from, limits }])
  }
}

/** Returns the failure that ends it all, such as an outage. */
async function readOrNote(
  where: Where,
  gateway: CloudflareGateway,
  group: readonly Wanted[],
): Promise<AnalyticsError | null> {
  const [only] = group
  try {
    await (group.length === 1 && only ? readAlone(where, gateway, only) : readGroup(where, gateway, group))
    return null
  } catch (error) {
    const failure = failureOf(error)
    if (isGeneral(failure)) return failure
    if (group.length > 1) {
      for (const each of group) {
        const general = await readOrNote(where, gateway, [each])
        if (general) return general
      }
    } else {
      await saveFailure(
        where.db,
        group.map(({ zoneId }) => zoneId),
        failure,
        new Date(where.clock()),
      )
    }
    return null
  }
}

/**
 * Reads the days of these zones that are not kept yet or were not over, ten zones a question. What goes wrong is noted
 * beside the zones; a failure that concerns all ends it and is noted beside those that are left.
 */
export async function refreshDays(where: Where, gateway: CloudflareGateway, zoneIds: readonly string[]): Promise<void> {
  const states = await findStates(where.db, zoneIds)
  const kept = await findKept(where.db, zoneIds)
  let failure = await refreshLimits(where, gateway, states)
  const wanted = [...states.values()].map((state) => wantedOf(state, kept.get(state.zoneId), where.clock()))
  const left: string[] = []
  for (const group of groupsOf(wanted)) {
    failure ??= await readOrNote(where, gateway, group)
    if (failure) left.push(...group.map(({ zoneId }) => zoneId))
  }
  if (failure) await saveFailure(where.db, left, failure, new Date(where.clock()))
}
