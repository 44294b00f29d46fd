import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { bulkResetPurchases } from '@agency/contract/purchase-reset'
import type { PurchaseReset, RefusedSite } from '@agency/contract/types'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, type Claim, keepAnswer, lockAnswer } from '../../../platform/idempotency-keys.ts'
import { siteNameOf } from '../../purchases/index.ts'
import { findSites } from '../queries/sites.ts'
import { requestIdOf } from '../request.ts'
import { resetOne } from './reset-one.ts'

type Answer = ResponseOf<typeof bulkResetPurchases>
type Wanted = BodyOf<typeof bulkResetPurchases>
type Outcome = { reset: PurchaseReset } | { refused: string }

/**
 * Resets one site after the other, each in a transaction of its own: what is done stays done, and a repeat after a
 * crash goes on with the rest.
 */
export async function bulkReset(ctx: RequestContext, wanted: Wanted, claim: Claim | null): Promise<Answer> {
  const requestId = requestIdOf(claim)
  await inTransaction(ctx, (tx) => bindKey(tx, claim, requestId))
  return goOn(ctx, wanted, claim, requestId)
}

/** Does what is left of it, and keeps the answer once nothing is. */
export async function goOn(
  ctx: RequestContext,
  { purchaseIds, reason }: Wanted,
  claim: Claim | null,
  requestId: string,
): Promise<Answer> {
  const names = new Map((await findSites(ctx.db, purchaseIds)).map((site) => [site.id, siteNameOf(site)]))
  const resets: PurchaseReset[] = []
  const refused: RefusedSite[] = []
  const resetOf = (purchaseId: string) => (tx: TransactionContext) =>
    resetOne(tx, requestId, purchaseId, reason || 'Bulk reset - no reason provided')
  for (const purchaseId of purchaseIds) {
    const outcome = await tryReset(ctx, claim, resetOf(purchaseId))
    if (outcome === 'answered') break
    if ('reset' in outcome) resets.push(outcome.reset)
    else refused.push({ purchaseId, siteName: names.get(purchaseId) ?? null, reason: outcome.refused })
  }
  return answer(ctx, claim, { success: resets.length > 0, resets, refused })
}

async function answer(ctx: RequestContext, claim: Claim | null, made: Answer): Promise<Answer> {
  const kept = await inTransaction(ctx, async (tx) => {
    const earlier = await lockAnswer(tx, claim)
    if (earlier === null) await keepAnswer(tx, claim, made)
    return (earlier ?? made) as Answer
  })
  // This process hears of a change like all others, but its own next request may come sooner.
  ctx.changes.tell('purchases')
  return kept
}

/** `answered`: the same request was answered meanwhile. */
async function tryReset(
  ctx: RequestContext,
  claim: Claim | null,
  reset: (tx: TransactionContext) => Promise<PurchaseReset>,
): Promise<Outcome | 'answered'> {
  try {
    return await inTransaction(ctx, async (tx) => {
      if ((await lockAnswer(tx, claim)) !== null) return 'answered'
      return { reset: await reset(tx) }
    })
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found'))
      return { refused: error.code === 'not_found' ? 'There is no such purchase.' : error.message }
    throw error
  }
}
