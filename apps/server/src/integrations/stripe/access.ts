import { isForbidden } from './errors.ts'
import { type ObjectKind, objectKinds, type ProviderAccount, type StripeGateway } from './gateway.ts'

const rightOf: Record<ObjectKind, string> = {
  product: 'Products',
  price: 'Prices',
  coupon: 'Coupons',
  promotion_code: 'Promotion codes',
  payment_link: 'Payment links',
  customer: 'Customers',
  subscription: 'Subscriptions',
  invoice: 'Invoices',
  payment: 'Payment intents',
  invoice_payment: 'Invoice payments',
  charge: 'Charges',
  refund: 'Refunds',
  dispute: 'Disputes',
  checkout_session: 'Checkout sessions',
  balance_transaction: 'Balance transactions',
}

export type StripeAccess = {
  /** null when the key may not read it. */
  account: ProviderAccount | null
  /** What the key may not read and the mirror needs. */
  lacking: string[]
}

/** Fewer than the provider takes at once, so that a test does not hold up an import. */
const together = 5

/** Asks for one of each that the mirror reads. Throws when Stripe cannot be reached, or takes the key for none. */
export async function findAccess(gateway: StripeGateway): Promise<StripeAccess> {
  const stripe = gateway.in('job')
  const account = await unlessForbidden(stripe.getAccount())
  const reads: [right: string, read: () => Promise<unknown>][] = [
    ...objectKinds.map((kind): [string, () => Promise<unknown>] => [
      rightOf[kind],
      () => stripe.listObjects(kind, { limit: 1 }),
    ]),
    ['Events', () => stripe.ping()],
    ['Webhook endpoints', () => stripe.listWebhookEndpoints()],
  ]
  const lacking = account === null ? ['Account'] : []
  for (let start = 0; start < reads.length; start += together) {
    const batch = reads.slice(start, start + together)
    const answers = await Promise.all(batch.map(([, read]) => unlessForbidden(read().then(() => true))))
    lacking.push(...batch.filter((_, index) => answers[index] === null).map(([right]) => right))
  }
  return { account, lacking }
}

async function unlessForbidden<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (isForbidden(error)) return null
    throw error
  }
}
