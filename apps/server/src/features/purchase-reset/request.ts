import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { bindKey, type Claim, keepAnswer } from '../../platform/idempotency-keys.ts'

/** What a call writes to the history is known by: its key, or something new where a repeat cannot be told. */
export const requestIdOf = (claim: Claim | null): string => claim?.key ?? randomUUID()

/** Does the work and keeps its answer in one transaction. */
export async function resetOnce<Answer>(
  ctx: RequestContext,
  claim: Claim | null,
  work: (tx: TransactionContext, requestId: string) => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(claim)
  const answer = await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, requestId)
    const made = await work(tx, requestId)
    await keepAnswer(tx, claim, made)
    return made
  })
  // This process hears of a change like all others, but its own next request may come sooner.
  ctx.changes.tell('purchases')
  return answer
}
