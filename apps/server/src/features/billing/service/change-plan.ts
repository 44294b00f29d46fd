import type { changePlan as contract } from '@agency/contract/billing-changes'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { moneyText } from '../../../platform/money-text.ts'
import type { ChangeAnswer } from '../money-actions/change.ts'
import { type Asked, conflict } from '../money-actions/changes/change.ts'
import { findSubscriptionTarget } from '../queries/money-targets.ts'
import { foreseeChange } from '../reach/foresee-change.ts'
import { askNextInvoice } from './preview-plan-change.ts'
import { changeSubscription } from './send-change.ts'

/** Moves an item to another price, if the provider would still charge what the preview has shown. */
export async function changePlan(
  ctx: RequestContext,
  id: string,
  { price, item, proration, proration_date, expected_amount_due }: BodyOf<typeof contract>,
  claim: Claim | null,
): Promise<ChangeAnswer> {
  const asked = { price, item, proration, proration_date }
  if (expected_amount_due !== undefined) await checkCharge(ctx, id, asked, expected_amount_due)
  return changeSubscription(ctx, { id, kind: 'change_plan', asked, claim })
}

async function checkCharge(
  ctx: RequestContext,
  id: string,
  asked: Asked['change_plan'],
  expected: number,
): Promise<void> {
  const target = await findSubscriptionTarget(ctx.db, id)
  const { situation, payload } = await foreseeChange(ctx, target, id, 'change_plan', asked)
  if (payload === null) return
  const next = await askNextInvoice(ctx, id, situation, payload)
  const due = next?.amount_due ?? 0
  if (due === expected) return
  const currency = next?.currency ?? String(situation.subscription['currency'])
  throw conflict(
    `The next invoice would now be ${moneyText(due, currency)}, not ${moneyText(expected, currency)} as it was shown. Nothing was changed: check the new preview.`,
  )
}
