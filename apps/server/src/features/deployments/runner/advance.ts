import type { AppContext, RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { deployTargetOf } from '../../sites/index.ts'
import { type DeploymentRow, findRow } from '../queries/rows.ts'
import { laneOf, providerOf } from '../site.ts'
import { isOver } from './finish.ts'
import { follow } from './follow.ts'
import { end, type Held, patch, runnerContext } from './held.ts'
import { prove } from './prove.ts'
import { findLost, send } from './send.ts'
import { stopAtProvider } from './stop.ts'

const againMs = 5000
const longestMs = 60 * 60_000

/** One step of a deployment. Answers in how many milliseconds the next one is due, or null when there is none. */
export async function advance(app: AppContext, held: Held): Promise<number | null> {
  const ctx = runnerContext(app)
  const row = await findRow(ctx.db, held.id)
  if (!row || row.lease_owner !== held.owner || isOver(row)) return null
  try {
    return await step(ctx, held, row)
  } catch (error) {
    return wait(ctx, held, row, error)
  }
}

async function step(ctx: RequestContext, held: Held, row: DeploymentRow): Promise<number | null> {
  const target = await deployTargetOf(ctx, row.site_id)
  if (!target || laneOf(target) !== row.lane)
    return end(ctx, held, () => ({
      status: row.cancel_requested_at === null ? 'failed' : 'cancelled',
      failure: 'The site has another project now: no longer followed',
    }))
  const provider = providerOf(ctx, target)
  if (row.cancel_requested_at !== null) {
    const failure = await stopAtProvider(ctx, row.id, provider)
    return end(ctx, held, () => ({ status: 'cancelled', failure }))
  }
  const parts = { target, provider }
  if (row.sent_at === null && target.site.status === 'suspended')
    return end(ctx, held, () => ({
      status: 'failed',
      failure: 'The site was suspended. Nothing was changed',
    }))
  if (row.sent_at === null) return send(ctx, held, row, parts)
  if (row.accepted_at === null) return findLost(ctx, held, row, provider)
  return row.built_at === null ? follow(ctx, held, row, parts) : prove(ctx, held, row, parts)
}

/** Whatever keeps it from going on now may pass; it does not wait for ever. */
async function wait(ctx: RequestContext, held: Held, row: DeploymentRow, error: unknown): Promise<number | null> {
  ctx.log.warn({ err: error, deployment: row.id }, 'a deployment does not get further')
  const isTold = error instanceof AppError && error.code !== 'internal'
  const reason = isTold ? error.message.replace(/\.$/, '') : 'Unknown error'
  const isFinal =
    isTold &&
    row.sent_at === null &&
    (error.code === 'conflict' || error.code === 'provider_auth' || error.code === 'provider_invalid')
  const isTooLong = ctx.clock() - (row.started_at?.getTime() ?? 0) > longestMs
  if (row.cancel_requested_at !== null)
    return end(ctx, held, () => ({ status: 'cancelled', failure: `Not stopped at the host: ${reason}` }))
  if (isFinal) return end(ctx, held, () => ({ status: 'failed', failure: `${reason}. Nothing was changed` }))
  if (isTooLong)
    return end(ctx, held, () => ({ status: 'failed', failure: `${reason}. No longer followed after an hour` }))
  if (row.wait_note !== reason) await patch(ctx, held, { wait_note: reason })
  const retryAfter = isTold ? (error.extras.retryAfter ?? 0) : 0
  return Math.max(againMs, Math.min(retryAfter, 300) * 1000)
}
