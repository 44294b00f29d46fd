import type { Impersonation } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findImpersonation } from '../queries/impersonations.ts'
import { shownTo } from './begin.ts'
import { endView, settleEnded } from './settle.ts'

/** Ends a view, one's own or another's. One that is over stays as it ended. */
export async function endImpersonation(ctx: RequestContext, id: string): Promise<Impersonation> {
  await settleEnded(ctx)
  await inTransaction(ctx, async (tx) => {
    const row = await findImpersonation(tx.db, id)
    if (!row) throw notFound(`Impersonation ${id}`)
    if (row.way === 'portal') throw new AppError('conflict', 'Billing portal sessions can only be ended at Stripe')
    if (row.state !== 'live') return
    const isOwn = row.session_id === tx.actor.sessionId
    await endView(tx, row, {
      at: new Date(tx.clock()),
      cause: isOwn ? 'ended' : 'ended_by_other',
      endedBy: tx.actor.name,
    })
  })
  return shownTo(ctx, id)
}
