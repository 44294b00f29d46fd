import { setTimeout as pause } from 'node:timers/promises'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { Exported } from '@agency/contract/exports'
import type { exportSystemAnalytics } from '@agency/contract/system-analytics'
import type { RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { createExport, getShown, type Kinds, makeLink } from '../exports/index.ts'
import { daysOf } from './days.ts'

/** A file that is ready within this time is answered with its link. */
const waitMs = 10_000
const lookEveryMs = 200

async function whenEnded(ctx: RequestContext, begun: Exported): Promise<Exported> {
  const until = ctx.clock() + waitMs
  let now = begun
  while ((now.state === 'queued' || now.state === 'running') && ctx.clock() < until) {
    await pause(lookEveryMs)
    now = await getShown(ctx, begun.id)
  }
  return now
}

export async function exportOverview(
  ctx: RequestContext,
  kinds: Kinds,
  { format, report_type, date_range }: BodyOf<typeof exportSystemAnalytics>,
): Promise<ResponseOf<typeof exportSystemAnalytics>['data']> {
  const { first, last } = daysOf(date_range, ctx.clock())
  const parameters = { start_date: first, end_date: last }
  const begun = await createExport(ctx, kinds, { kind: report_type, format, parameters }, null)
  const { id, state, reason } = await whenEnded(ctx, begun)
  if (state === 'failed' || state === 'cancelled')
    throw new AppError('unavailable', reason ?? 'The export was cancelled. No file was made.')
  const isReady = state === 'ready'
  return { export_id: id, download_url: isReady ? (await makeLink(ctx, id)).url : null }
}
