import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'

/** One transaction. This process hears of a change like all others, but its own next request may come sooner. */
export async function changeSites<T>(ctx: RequestContext, work: (tx: TransactionContext) => Promise<T>): Promise<T> {
  const result = await inTransaction(ctx, work)
  ctx.changes.tell('sites')
  return result
}
