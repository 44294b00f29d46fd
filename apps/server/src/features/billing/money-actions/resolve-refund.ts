import { nextFetchSeq } from '../../mirror/index.ts'
import { isProven, mostKeys, providerKeyOf } from './action.ts'
import { makeOrFind } from './make-or-find.ts'
import type { Work } from './perform.ts'
import { findRefundOf, refundDone, seePayment, sendRefund } from './refund.ts'
import type { Done } from './settle.ts'
import { failedAtRefund, NotDone } from './verdict.ts'

type Made = { refundId: string; requestId: string | null }

export async function resolveRefund(work: Work): Promise<Done> {
  const { refundId, requestId } = await make(work)
  // The answer to a repeated call is as old as the first one, so the refund is read as it is now.
  const { ctx, stripe, action } = work
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('refund', refundId)
  if (!object) throw new Error(`Refund ${refundId} is gone`)
  const payment = await seePayment(ctx, stripe, action.target_id)
  return refundDone(action, { kind: 'refund', object, fetchSeq }, payment, requestId)
}

const make = (work: Work): Promise<Made> =>
  makeOrFind(work, {
    async send() {
      const { object, requestId } = await sendRefund(work.stripe, work.action)
      return { refundId: object.id, requestId }
    },
    async lookUp() {
      const found = await findRefundOf(work.stripe, work.action)
      return found && { refundId: found.id, requestId: null }
    },
    ended: (failure) => goOn(work, failure),
  })

/** It is tried under the next key as soon as it is proven that nothing happened. */
async function goOn(work: Work, failure: unknown): Promise<Made> {
  const { ctx, action } = work
  if (!isProven(ctx, action)) throw failure
  if (action.keys_used >= mostKeys) throw new NotDone(failedAtRefund)
  const keys_used = action.keys_used + 1
  const next = { provider_key: providerKeyOf(action, keys_used), keys_used }
  await work.mark(next)
  return make({ ...work, action: { ...action, ...next, sent_at: new Date(ctx.clock()) } })
}
