import type { AppContext } from '../../context.ts'
import type { Look } from './look.ts'
import { deleteOutage, postpone, upsertOutage } from './queries/outage.ts'
import { recordLook } from './record.ts'
import type { ApplyProbe } from './service/apply.ts'

/** Failed before anything left this machine, which may be the site's doing or the console's own. */
export const isOwnFailure = ({ finding }: Look): boolean => finding.failure?.reason === 'network'

/** So many that fail so, and no other: the next one would fare no better, and each may take seconds to say so. */
const enough = 12

/**
 * The looks of one pass. One that may have failed for the console's own network waits until the pass is over: when most
 * of them did so, nothing was measured and every site keeps what is known of it.
 */
export function createRound(ctx: AppContext, apply: ApplyProbe) {
  let looks = 0
  const doubtful: { siteId: string; look: Look }[] = []

  return {
    async keep(siteId: string, look: Look): Promise<void> {
      looks += 1
      if (!isOwnFailure(look)) {
        await recordLook(ctx, apply, siteId, look)
        return
      }
      doubtful.push({ siteId, look })
      await postpone(ctx, siteId, new Date(look.run.at))
    },
    isHopeless: (): boolean => looks >= enough && doubtful.length === looks,
    async end(): Promise<void> {
      const at = new Date(ctx.clock())
      if (doubtful.length * 2 > looks) {
        const detail = doubtful[0]?.look.run.detail ?? ''
        ctx.log.warn({ sites: doubtful.length, of: looks, detail, part: 'probes' }, 'the sites could not be measured')
        await upsertOutage(ctx, at, detail)
        return
      }
      if (looks > 0) await deleteOutage(ctx)
      for (const { siteId, look } of doubtful) await recordLook(ctx, apply, siteId, look)
    },
  }
}
