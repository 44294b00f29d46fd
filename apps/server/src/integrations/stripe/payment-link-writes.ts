import type Stripe from 'stripe'
import { checkObject, checkPage } from './answers.ts'
import { fields } from './fields.ts'
import type { Answer, NewPaymentLink, ProviderObject, StripeGateway } from './gateway.ts'
import type { Ask } from './invoice-writes.ts'
import { pagesOf } from './pages.ts'
import { linesPath, requestOf } from './requests.ts'

const name = 'payment_link'
const { path, expand = [] } = requestOf.payment_link
const maxLinePages = 10

/** Embedded lists end after ten. */
export async function withAllLines(ask: Ask, object: ProviderObject): Promise<ProviderObject> {
  const embedded = fields(object['line_items'])
  if (embedded['has_more'] !== true) return object
  const load = async (after: string | undefined) =>
    checkPage(await ask('GET', linesPath(object.id, after)), 'item', after)
  const data: ProviderObject[] = []
  for await (const page of pagesOf(load, { what: 'lines of one payment link', most: maxLinePages }))
    data.push(...page.objects)
  return { ...object, line_items: { ...embedded, data, has_more: false } }
}

function linkBody({ price, quantity, metadata, ...terms }: NewPaymentLink): Stripe.PaymentLinkCreateParams {
  const { isQuantityAdjustable, allowPromotionCodes, trialDays } = terms
  return {
    line_items: [{ price, quantity, ...(isQuantityAdjustable && { adjustable_quantity: { enabled: true } }) }],
    metadata,
    allow_promotion_codes: allowPromotionCodes,
    ...(trialDays > 0 && { subscription_data: { trial_period_days: trialDays } }),
    expand: [...expand],
  }
}

export function paymentLinkWrites(ask: Ask) {
  async function answer(value: unknown): Promise<Answer> {
    const last = (value as { lastResponse?: { requestId?: string } } | null)?.lastResponse
    return { object: await withAllLines(ask, checkObject(value, name)), requestId: last?.requestId ?? null }
  }
  return {
    async createPaymentLink(link: NewPaymentLink): Promise<Answer> {
      return answer(await ask('POST', path, { ...linkBody(link) }, link.idempotencyKey))
    },
    async switchPaymentLink(id: string, active: boolean, idempotencyKey: string): Promise<Answer> {
      const body: Stripe.PaymentLinkUpdateParams = { active, expand: [...expand] }
      return answer(await ask('POST', `${path}/${encodeURIComponent(id)}`, { ...body }, idempotencyKey))
    },
  } satisfies Partial<StripeGateway>
}
