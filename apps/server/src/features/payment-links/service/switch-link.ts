import type { paymentLinks } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, openText } from '../../billing/index.ts'
import { nextFetchSeq, recordObject } from '../../mirror/index.ts'
import { deliver } from '../delivery.ts'
import { findLink, findOpenSwitch, lockLink } from '../queries.ts'
import { switchOnRefusal } from '../rules.ts'
import { toLink } from '../shown.ts'
import type { SwitchPayload } from '../ways.ts'

type Answer = ResponseOf<typeof paymentLinks.switchPaymentLink>

/** Whoever switched it at the provider a moment ago is seen. */
async function lookAgain(ctx: RequestContext, id: string): Promise<void> {
  if (!ctx.stripe) throw new AppError('not_connected', 'Stripe is not connected')
  const fetchSeq = await nextFetchSeq(ctx.db)
  const link = await ctx.stripe.findObject('payment_link', id)
  if (!link) throw notFound(`Payment link ${id}`)
  if ((await findLink(ctx.db, id))?.active === link['active']) return
  await inTransaction(ctx, (tx) => recordObject(tx, 'payment_link', link, fetchSeq))
  ctx.changes.tell('plans')
}

export async function switchLink(
  ctx: RequestContext,
  id: string,
  active: boolean,
  claim: Claim | null,
): Promise<Answer> {
  await lookAgain(ctx, id)
  const request = actionRequest('payment_link_switch', id, claim)
  const begun = await beginAction<unknown, Answer>(ctx, request, {
    lock: (tx) => lockLink(tx.db, id),
    async prepare(tx) {
      const row = await findLink(tx.db, id)
      if (!row) throw notFound(`Payment link ${id}`)
      const other = await findOpenSwitch(tx.db, id)
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const shown = toLink(tx, row)
      const payload: SwitchPayload = { plan_name: shown.name, active }
      if (row.active === active) return { unchanged: { success: true, payment_link: shown, changed: false }, payload }
      const refusal = active ? switchOnRefusal(shown) : null
      if (refusal) throw new AppError('conflict', `${refusal}. Nothing was changed.`)
      return { payload, amount: null, currency: null }
    },
  })
  return deliver(ctx, begun)
}
