import { createHash, randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { deleteRequestsBefore, lockRequest, saveAnswer } from './queries/requests.ts'

/** What a caller asked for. `id` is the Idempotency-Key; without one a repeat cannot be told from a new request. */
export type ResetRequest = { id: string; hash: string }

const keptMs = 7 * 24 * 60 * 60_000

export function resetRequest(asked: readonly unknown[], key: string | null): ResetRequest {
  return { id: key ?? randomUUID(), hash: createHash('sha256').update(JSON.stringify(asked)).digest('hex') }
}

/** Takes a request up in a transaction; answers what it was answered before, or null. */
export async function takeUp(tx: TransactionContext, { id, hash }: ResetRequest): Promise<unknown> {
  const row = await lockRequest(tx.db, { id, payload_hash: hash, created_at: new Date(tx.clock()) })
  if (row.payload_hash !== hash)
    throw new AppError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request already: take a new one',
    )
  return row.answer
}

/** Does the work and keeps its answer in one transaction, or answers what was answered before. */
export async function answerOnce<Answer>(
  ctx: RequestContext,
  request: ResetRequest,
  work: (tx: TransactionContext) => Promise<Answer>,
): Promise<Answer> {
  const answer = await inTransaction(ctx, async (tx) => {
    const earlier = await takeUp(tx, request)
    if (earlier !== null) return earlier as Answer
    const made = await work(tx)
    await saveAnswer(tx.db, request.id, made)
    await deleteRequestsBefore(tx.db, new Date(tx.clock() - keptMs))
    return made
  })
  // This process hears of a change like all others, but its own next request may come sooner.
  ctx.changes.tell('purchases')
  return answer
}
