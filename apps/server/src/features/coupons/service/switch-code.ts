import type { coupons } from '@agency/contract'
import type { PromotionCode } from '@agency/contract/coupons'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, openText } from '../../billing/index.ts'
import { deliver } from '../delivery.ts'
import { findCode, findOpenAction, findSameCode, lockCode } from '../queries.ts'
import { sameCodeText, switchOnRefusal } from '../rules.ts'
import type { SwitchPayload } from '../ways.ts'
import { getShownCode } from './read.ts'

type Answer = ResponseOf<typeof coupons.switchPromotionCode>

async function checkSwitchOn(tx: TransactionContext, shown: PromotionCode): Promise<void> {
  const { id, code, customer } = shown
  const isTaken = await findSameCode(tx.db, { id, code, customer: customer?.id ?? null })
  const refusal = switchOnRefusal(shown) ?? (isTaken === undefined ? null : sameCodeText(code))
  if (refusal) throw new AppError('conflict', `${refusal}. Nothing was changed.`)
}

export async function switchCode(
  ctx: RequestContext,
  id: string,
  active: boolean,
  claim: Claim | null,
): Promise<Answer> {
  const request = actionRequest('promotion_code_switch', id, claim)
  const begun = await beginAction<unknown, Answer>(ctx, request, {
    lock: (tx) => lockCode(tx.db, id),
    async prepare(tx) {
      const { code: shown, coupon } = await getShownCode(tx, id)
      const other = await findOpenAction(tx.db, id, ['promotion_code_switch'])
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const { coupon_id, code } = shown
      const payload: SwitchPayload = { name: coupon?.name ?? coupon_id ?? '', coupon: coupon_id, code, active }
      if ((await findCode(tx.db, id))?.active === active) return { unchanged: { success: true, code: shown }, payload }
      if (active) await checkSwitchOn(tx, shown)
      return { payload, amount: null, currency: null }
    },
  })
  return deliver(ctx, begun)
}
