import type { Impersonation } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { type Asked, begin, sessionOf, shownTo, tellCustomer } from './begin.ts'
import { settleEnded } from './settle.ts'

const viewMs = 30 * 60_000

/** What is handed out is the row itself: from here on the calls of the view answer to this session. */
export async function startView(ctx: RequestContext, asked: Asked): Promise<Impersonation> {
  const sessionId = sessionOf(ctx)
  await settleEnded(ctx)
  const until = new Date(ctx.clock() + viewMs)
  const { row } = await inTransaction(ctx, async (tx) => {
    const begun = await begin(tx, sessionId, asked, { way: 'view', until })
    if (asked.notify) await tellCustomer(tx, begun)
    return begun
  })
  return shownTo(ctx, row.id)
}
