import { LRUCache } from 'lru-cache'
import type { AppContext } from '../../context.ts'
import { type Hit, hostsOf } from './hit.ts'
import { addCounts, findBeaconSite, type GoalCount, type HourCount } from './queries.ts'
import { createVisits } from './visits.ts'

const hourMs = 3_600_000
/** What was counted is written this often: a busy site costs no more than a row then. */
const flushMs = 5000
const knownMs = 30_000
const mostKnown = 5000

type Known = { hosts: readonly string[] | null; at: number; version: number }

/** Hears the beacons of sites: who is heard at all, what is a visit, and the counts until they are written. */
export function createBeaconReceiver(ctx: AppContext) {
  const isNewVisit = createVisits(ctx.clock)
  const known = new LRUCache<string, Known>({ max: mostKnown })
  let hours = new Map<string, HourCount>()
  let goals = new Map<string, GoalCount>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  /** Under which names the site is heard; null where there is no such site, or it has not opted in. */
  async function hostsFor(siteId: string): Promise<readonly string[] | null> {
    const now = ctx.clock()
    const version = ctx.changes.version(['sites'])
    const found = known.get(siteId)
    if (found && found.version === version && now - found.at < knownMs) return found.hosts
    const site = await findBeaconSite(ctx, siteId)
    const hosts = site?.is_on ? hostsOf(site) : null
    known.set(siteId, { hosts, at: now, version })
    return hosts
  }

  async function write(): Promise<void> {
    const [countedHours, countedGoals] = [[...hours.values()], [...goals.values()]]
    hours = new Map()
    goals = new Map()
    if (countedHours.length === 0) return
    try {
      await addCounts(ctx, countedHours, countedGoals, new Date(ctx.clock()))
    } catch (error) {
      // A few seconds of counts are not worth holding memory for while the database is away.
      ctx.log.warn({ err: error, sites: countedHours.length }, 'counts of beacons were lost')
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  function count(siteId: string, hit: Hit, visitor: { address: string; userAgent: string }): void {
    const now = ctx.clock()
    const at = new Date(Math.floor(now / hourMs) * hourMs)
    const key = `${siteId} ${at.getTime()}`
    const sum = hours.get(key) ?? { site_id: siteId, hour: at, visits: 0, page_views: 0, goals: 0 }
    hours.set(key, sum)
    if (isNewVisit({ siteId, ...visitor })) sum.visits++
    if (hit.kind === 'view') sum.page_views++
    else {
      sum.goals++
      const day = new Date(now).toISOString().slice(0, 10)
      const goalKey = `${siteId} ${day} ${hit.goal}`
      const reached = goals.get(goalKey) ?? { site_id: siteId, day, goal: hit.goal, hits: 0 }
      reached.hits++
      goals.set(goalKey, reached)
    }
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  return { hostsFor, count, flush }
}
