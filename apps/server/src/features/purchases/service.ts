import type { purchases } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { PurchaseDetails } from '@agency/contract/types'
import type { AppContext, RequestContext } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { toPurchase, toPurchaseDetails } from './purchase.ts'
import { countUnread, deleteReads, findPurchase, findPurchases, insertReads, type Reader } from './queries.ts'

/** What is older counts as read. */
const unreadForMs = 30 * 24 * 60 * 60_000

const readerOf = ({ actor, clock }: RequestContext): Reader => ({
  actorId: actor.id,
  since: new Date(clock() - unreadForMs),
})

export async function listPurchases(
  ctx: RequestContext,
  query: QueryOf<typeof purchases.listPurchases>,
): Promise<ResponseOf<typeof purchases.listPurchases>> {
  const reader = readerOf(ctx)
  const [page, unreadCount] = await Promise.all([findPurchases(ctx.pool, reader, query), countUnread(ctx.pool, reader)])
  return { ...page, purchases: page.purchases.map(toPurchase), unreadCount }
}

export async function getPurchase(ctx: RequestContext, id: string): Promise<PurchaseDetails> {
  const record = await findPurchase(ctx.pool, readerOf(ctx), id)
  if (!record) throw notFound(`Purchase ${id}`)
  return toPurchaseDetails(record)
}

/** What somebody has read is that person's own affair, so it leaves no audit entry. */
export async function markRead(ctx: RequestContext, ids: string[] | undefined): Promise<{ unreadCount: number }> {
  const reader = readerOf(ctx)
  if (ids === undefined || ids.length > 0) await insertReads(ctx.pool, reader, new Date(ctx.clock()), ids)
  return { unreadCount: await countUnread(ctx.pool, reader) }
}

export function forgetOldReads({ pool, clock }: AppContext): Promise<void> {
  return deleteReads(pool, new Date(clock() - unreadForMs))
}
