import { inTransaction, type RequestContext } from '../../context.ts'
import type { StripeGateway } from '../../integrations/stripe/gateway.ts'
import { findUnknownCustomers, insertGoneCustomer } from './queries/tombstones.ts'
import { lockMirror, nextFetchSeq } from './queries/upsert.ts'
import { buryObject, writeObjects } from './writer.ts'

const pageSize = 200

/**
 * The provider lists no deleted customers, but their payments, invoices and subscriptions. Whoever those name and no listing
 * brought is asked for by itself, and kept as deleted when it is gone. Answers how many were asked for.
 */
export async function takeInUnknownCustomers(
  ctx: RequestContext,
  stripe: StripeGateway,
  signal: AbortSignal,
): Promise<number> {
  let after = ''
  let asked = 0
  for (;;) {
    const ids = await findUnknownCustomers(ctx.db, { after, limit: pageSize })
    for (const id of ids) {
      signal.throwIfAborted()
      asked++
      await takeIn(ctx, stripe, id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) return asked
    after = last
  }
}

async function takeIn(ctx: RequestContext, stripe: StripeGateway, id: string): Promise<void> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('customer', id)
  const fetch = { fetchSeq, fetchedAt: new Date(ctx.clock()), source: 'import' } as const
  await inTransaction(ctx, async (tx) => {
    if (object !== null) return void (await writeObjects(tx, 'customer', [object], fetch))
    await lockMirror(tx.db)
    await insertGoneCustomer(tx.db, id, fetch)
    await buryObject(tx, 'customer', id)
  })
}
