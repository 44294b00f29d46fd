import type { AppContext } from '../../context.ts'
import { type Measured, part } from './parts.ts'
import { findBackupFigures } from './queries.ts'
import { durationText } from './words.ts'

/** A day more than a weekly schedule takes. */
const oldMs = 8 * 86_400_000

/** How old the newest backup is and whether one was proven by restoring it; without any there is nothing to judge. */
export async function measureBackups(ctx: Pick<AppContext, 'db' | 'clock'>): Promise<Measured> {
  const { madeAt, failedAt, provenAt, drillFailedAt } = await findBackupFigures(ctx)
  const ago = (at: Date): string => `${durationText(ctx.clock() - at.getTime())} ago`
  const proven = provenAt ? `last proven restore ${ago(provenAt)}` : 'none was proven by a restore yet'
  if (failedAt && (!madeAt || failedAt > madeAt)) {
    const last = madeAt ? `; the last good one is of ${ago(madeAt)}, ${proven}` : ''
    return part('error', `The newest backup failed${last}`)
  }
  if (!madeAt) return part('unknown', 'No backup yet')
  const detail = `Last backup ${ago(madeAt)}; ${proven}`
  if (drillFailedAt && (!provenAt || drillFailedAt > provenAt))
    return part('error', `The last restore drill failed. ${detail}`)
  return part(ctx.clock() - madeAt.getTime() > oldMs ? 'warning' : 'healthy', detail)
}
