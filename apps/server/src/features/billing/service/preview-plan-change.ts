import type { previewPlanChange as contract } from '@agency/contract/billing-changes'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { NextInvoice } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import {
  currencyOf,
  type Fields,
  fields,
  flag,
  instant,
  items,
  needed,
  neededAmount,
  text,
} from '../../../integrations/stripe/fields.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Payloads, Situation } from '../money-actions/changes/change.ts'
import { periodEndOf } from '../money-actions/changes/change.ts'
import { isChargedNow, itemsUpdate } from '../money-actions/changes/plan.ts'
import { findSubscriptionTarget } from '../queries/money-targets.ts'
import { previewChange } from '../reach/foresee-change.ts'

type PlanPayload = Payloads['change_plan']

/** The provider's preview of what the change would bill, pinned to the moment that its payload names. */
export async function askNextInvoice(
  ctx: RequestContext,
  id: string,
  situation: Situation,
  payload: PlanPayload,
): Promise<NextInvoice | null> {
  if (!ctx.stripe) throw new AppError('not_connected', 'Stripe is not connected')
  const invoice = await ctx.stripe.previewInvoice(id, itemsUpdate(payload))
  const isNow = isChargedNow(situation, payload)
  const at = isNow ? payload.proration_date : (periodEndOf(situation.subscription) ?? payload.proration_date)
  return invoice && toNextInvoice(invoice, { at, isNow })
}

/** `at`: in seconds, when it is charged. */
export function toNextInvoice(invoice: Fields, { at, isNow }: { at: number; isNow: boolean }): NextInvoice {
  return {
    currency: currencyOf(invoice),
    subtotal: neededAmount(invoice, 'subtotal'),
    total: neededAmount(invoice, 'total'),
    amount_due: neededAmount(invoice, 'amount_due'),
    charged_at: needed(instant(at), 'its date'),
    charged_now: isNow,
    lines: items(invoice['lines']).map(toLine),
    has_more_lines: flag(fields(invoice['lines'])['has_more']),
  }
}

function toLine(line: Fields): NextInvoice['lines'][number] {
  const parent = fields(line['parent'])
  const details = [parent['subscription_item_details'], parent['invoice_item_details']].map(fields)
  const period = fields(line['period'])
  return {
    description: text(line['description']),
    amount: neededAmount(line),
    is_proration: details.some((each) => flag(each['proration'])),
    period_start: instant(period['start']),
    period_end: instant(period['end']),
  }
}

export async function previewPlanChange(
  ctx: RequestContext,
  id: string,
  { price, item, proration }: QueryOf<typeof contract>,
): Promise<ResponseOf<typeof contract>> {
  const target = await findSubscriptionTarget(ctx.db, id)
  const { payload, situation, reach } = await previewChange(ctx, target, id, 'change_plan', { price, item, proration })
  const now = Math.floor(ctx.clock() / 1000)
  if (payload === null || situation === null) return { reach, next_invoice: null, proration_date: now }
  const next_invoice = await askNextInvoice(ctx, id, situation, payload)
  return { reach, next_invoice, proration_date: payload.proration_date }
}
