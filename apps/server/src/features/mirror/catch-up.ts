import type { RequestContext } from '../../context.ts'
import { requestImport, runImport } from './import.ts'
import { findReports } from './queries/drift.ts'
import { findOpenImport } from './queries/imports.ts'
import { findEventProgress } from './queries/settings.ts'
import { maxGapMs, reconcileEvents } from './reconcile.ts'
import { walk } from './walk.ts'

type CaughtUp = {
  /** `import`: more has passed than Stripe lists events of, or none was ever looked at. */
  by: 'events' | 'import'
  /** Events that were not known, or objects that were read. */
  checked: number
  differed: number
  repaired: number
}

/** Brings the mirror from any earlier state to that of now, and proves it: its events, or everything, and then row by row. */
export async function catchUp(ctx: RequestContext, signal: AbortSignal): Promise<CaughtUp> {
  const progress = await findEventProgress(ctx.db)
  const isLong = !progress?.lookedAt || ctx.clock() - Date.parse(progress.lookedAt) > maxGapMs
  const isBegun = (await findOpenImport(ctx.db)) !== undefined
  if (isLong || isBegun) {
    await requestImport(ctx, 'restore')
    await runImport(ctx, signal)
  }
  await reconcileEvents(ctx, signal)
  await walk(ctx, signal)
  const [walked] = (await findReports(ctx.db, 10)).filter(({ kind }) => kind === 'walk')
  const [looked] = (await findReports(ctx.db, 10)).filter(({ kind }) => kind === 'events')
  return {
    by: isLong || isBegun ? 'import' : 'events',
    checked: (walked?.checked ?? 0) + (looked?.checked ?? 0),
    differed: (walked?.differed ?? 0) + (looked?.differed ?? 0),
    repaired: (walked?.repaired ?? 0) + (looked?.repaired ?? 0),
  }
}
