import type { RequestContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { type Change, findOpen } from '../queries/changes.ts'
import type { Found } from '../ways/way.ts'
import { wayOf } from '../ways/ways.ts'
import { leaseMs, type Outcome, settle } from './change-record.ts'

const hourMs = 60 * 60_000

function outcomeOf(change: Change, { is, now }: Found): Outcome {
  if (is === 'wanted') return { state: 'done', after: now }
  if (is === 'before') return { state: 'failed', code: 'conflict', problem: 'The change was not carried out' }
  const problem = `Someone else changed this ${wayOf(change).noun}, so the outcome of this change is unknown`
  return { state: 'failed', code: 'conflict', problem }
}

async function settleOne(ctx: RequestContext, gateway: CloudflareGateway, change: Change): Promise<void> {
  try {
    await settle(ctx, change, outcomeOf(change, await wayOf(change).look(gateway, change)))
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    const problem = `${error.message}. Outcome unknown; trying again is safe`
    // Nobody waits any more, and the record may be changed again.
    if (change.state === 'started') await settle(ctx, change, { state: 'unknown', code: 'outcome_unknown', problem })
  }
}

/**
 * Changes whose console ended meanwhile, and those whose answer was lost: settled by reading, never by sending. Of all
 * domains, or of one before it is changed again.
 */
export async function settleOpen(ctx: RequestContext, gateway: CloudflareGateway, zoneId?: string): Promise<void> {
  const now = ctx.clock()
  for (const change of await findOpen(ctx.db, new Date(now - leaseMs), new Date(now - hourMs), zoneId))
    await settleOne(ctx, gateway, change)
}
