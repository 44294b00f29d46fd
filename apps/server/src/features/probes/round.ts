import type { AppContext } from '../../context.ts'
import type { Look } from './look.ts'
import { countLooksSince, deleteOutage, postpone, upsertOutage } from './queries/outage.ts'
import { type ProbedSite, pullForward } from './queries/states.ts'
import { recordLook } from './record.ts'
import { nextLookAt } from './schedule.ts'
import type { ApplyProbe } from './service/apply.ts'

/** Failed before anything left this machine, which may be the site's doing or the console's own. */
export const isOwnFailure = ({ finding }: Look): boolean => finding.failure?.reason === 'network'

/** So many that fail so, and no other: the next one would fare no better, and each may take seconds to say so. */
const enough = 12
/** By then the others that were asked have answered, or have failed too. */
const decideAfterMs = 15_000
const comparedSites = 2

/** The site's turn comes again, as if it had been looked at. */
export const postponeLook = (ctx: Pick<AppContext, 'db'>, { id, settings }: ProbedSite, { run }: Look): Promise<void> =>
  postpone(ctx, id, nextLookAt(id, Date.parse(run.at), settings.interval_seconds * 1000))

type Doubtful = { site: ProbedSite; look: Look }

/**
 * Keeps what looks found. One that may have failed for the console's own network waits, and some other sites are looked
 * at meanwhile: when more failed so than told anything, in all processes, nothing was measured and every site keeps what
 * is known of it.
 */
export function createRound(context: () => AppContext, apply: ApplyProbe) {
  let measured = 0
  let doubtful: Doubtful[] = []
  let since = 0

  async function doubt(ctx: AppContext, site: ProbedSite, look: Look): Promise<void> {
    const at = Date.parse(look.run.at)
    if (doubtful.length === 0) {
      since = at
      await pullForward(ctx, site.id, new Date(ctx.clock()), comparedSites)
    }
    since = Math.min(since, at)
    doubtful.push({ site, look })
    await postponeLook(ctx, site, look)
  }

  async function decide(): Promise<void> {
    const held = doubtful
    doubtful = []
    measured = 0
    const ctx = context()
    if (held.length > (await countLooksSince(ctx, new Date(since)))) {
      const detail = held[0]?.look.run.detail ?? ''
      ctx.log.warn({ sites: held.length, detail, part: 'probes' }, 'the sites could not be measured')
      await upsertOutage(ctx, new Date(ctx.clock()), detail)
      return
    }
    await deleteOutage(ctx)
    for (const { site, look } of held) await recordLook(ctx, apply, site, look)
  }

  return {
    async keep(site: ProbedSite, look: Look): Promise<void> {
      const ctx = context()
      if (isOwnFailure(look)) return doubt(ctx, site, look)
      measured += 1
      await recordLook(ctx, apply, site, look)
    },
    isHopeless: (): boolean => measured === 0 && doubtful.length >= enough,
    isDoubtful: (): boolean => doubtful.length > 0,
    isDue: (now: number): boolean => doubtful.length > 0 && now - since >= decideAfterMs,
    /** What was measured shows that the way out is open, unless some look says otherwise. */
    async end(): Promise<void> {
      if (doubtful.length > 0) return decide()
      if (measured > 0) await deleteOutage(context())
      measured = 0
    },
  }
}
