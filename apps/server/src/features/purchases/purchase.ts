import type { Purchase, PurchaseDetails, PurchaseStatus } from '@agency/contract/types'

/** A checkout with its payment, as the database tells it. */
export type PurchaseRecord = {
  id: string
  checkout_status: string | null
  payment_status: string
  amount: number | null
  currency: string
  customer_id: string | null
  customer_name: string | null
  customer_email: string | null
  payment_id: string | null
  payment_state: string | null
  payment_description: string | null
  refunded_amount: number | null
  subscription_id: string | null
  product_name: string | null
  metadata: Record<string, string>
  is_reset: boolean
  created_at: string
  fetched_at: string
  unread: boolean
}

type States = Pick<PurchaseRecord, 'checkout_status' | 'payment_status' | 'payment_state'>

/**
 * A delayed payment that failed leaves its checkout complete and unpaid, as one that is still under way does: only the
 * payment tells them apart.
 */
export function statusOf({ checkout_status, payment_status, payment_state }: States): PurchaseStatus {
  if (payment_state === 'refunded') return 'refunded'
  if (checkout_status === 'open') return 'pending'
  if (checkout_status === 'expired') return 'failed'
  if (payment_status === 'paid' || payment_status === 'no_payment_required') return 'completed'
  if (payment_state === 'succeeded') return 'completed'
  return payment_state === 'failed' ? 'failed' : 'pending'
}

const nameKeys = ['site_name', 'siteName', 'business_name', 'businessName']
const addressKeys = ['production_url', 'productionUrl']

const inOneLine = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

type Named = Pick<PurchaseRecord, 'metadata' | 'payment_description' | 'product_name'>

/** The name that the shop gave, else what the payment was for. */
export function siteNameOf({ metadata, payment_description, product_name }: Named): string {
  const names = [...nameKeys.map((key) => metadata[key]), payment_description, product_name].map(inOneLine)
  return names.find((name) => name !== '') ?? 'Unnamed site'
}

/** Anybody who can write metadata at the provider writes this, so only what a browser may safely open is passed on. */
export function productionUrlOf(metadata: Record<string, string>): string | null {
  const address = addressKeys.map((key) => metadata[key]).find((text) => text)
  if (!address) return null
  try {
    const { protocol, username, password, href } = new URL(address)
    const isWeb = protocol === 'https:' || protocol === 'http:'
    // "https://bank.example@evil.example" reads like another place.
    return isWeb && username === '' && password === '' ? href : null
  } catch {
    return null
  }
}

export function toPurchase(record: PurchaseRecord): Purchase {
  return {
    id: record.id,
    siteName: siteNameOf(record),
    status: statusOf(record),
    customerEmail: record.customer_email,
    customerId: record.customer_id,
    amount: record.amount,
    currency: record.currency,
    timestamp: record.created_at,
    productionUrl: productionUrlOf(record.metadata),
    unread: record.unread,
  }
}

export function toPurchaseDetails(record: PurchaseRecord): PurchaseDetails {
  return {
    ...toPurchase(record),
    customerName: record.customer_name,
    paymentId: record.payment_id,
    subscriptionId: record.subscription_id,
    refundedAmount: record.refunded_amount,
    checkoutStatus: record.checkout_status,
    paymentStatus: record.payment_status,
    metadata: record.metadata,
    isReset: record.is_reset,
    fetchedAt: record.fetched_at,
  }
}
