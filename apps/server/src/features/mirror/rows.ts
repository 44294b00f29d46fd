import { UnreadableObject } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { toBalanceTransaction } from '../../integrations/stripe/mapping/balance-transaction.ts'
import {
  toCheckoutSession,
  toCoupon,
  toPrice,
  toProduct,
  toPromotionCode,
  toRefund,
} from '../../integrations/stripe/mapping/catalogue.ts'
import { toCustomer } from '../../integrations/stripe/mapping/customer.ts'
import { toDispute } from '../../integrations/stripe/mapping/dispute.ts'
import { toInvoice, toInvoicePayment } from '../../integrations/stripe/mapping/invoice.ts'
import { toCharge, toLonePayment, toPayment } from '../../integrations/stripe/mapping/payment.ts'
import { toPaymentLink } from '../../integrations/stripe/mapping/payment-link.ts'
import { toSubscription } from '../../integrations/stripe/mapping/subscription.ts'
import type { MrrInputs } from '../../integrations/stripe/mrr.ts'

/** A row of a mirror table as it is sent to the database; `raw` is the object it was made from. */
export type Row = { id: string; raw: unknown }
export type Rows = Partial<Record<ObjectKind, Row[]>>

/** What subscriptions are computed with; `inputsFor` answers it for one of them. */
export type Circumstances = { inputsFor: (subscription: ProviderObject) => MrrInputs; nowS: number }

type Mapper = (object: ProviderObject, circumstances: Circumstances) => [ObjectKind, Row][]

/** Whoever holds a client secret can act for the customer, so it is not kept. */
function withoutSecret(object: ProviderObject): ProviderObject {
  if (object['client_secret'] === undefined) return object
  const { client_secret: _, ...rest } = object
  return rest as ProviderObject
}

const one =
  (kind: ObjectKind, map: (object: ProviderObject) => { id: string }): Mapper =>
  (object) => [[kind, { ...map(object), raw: withoutSecret(object) }]]

function mapCharge(charge: ProviderObject): [ObjectKind, Row][] {
  const rows: [ObjectKind, Row][] = [['charge', { ...toCharge(charge), raw: charge }]]
  if (!charge['payment_intent']) rows.push(['payment', { ...toLonePayment(charge), raw: charge }])
  return rows
}

/** An intent and its latest charge are kept apart, each once. */
function mapPayment(object: ProviderObject): [ObjectKind, Row][] {
  if (object.object === 'charge') return mapCharge(object)
  const latest = object['latest_charge']
  if (typeof latest !== 'object' || latest === null) {
    return [['payment', { ...toPayment(object), raw: withoutSecret(object) }]]
  }
  const charge = latest as ProviderObject
  const raw = { ...withoutSecret(object), latest_charge: charge.id }
  return [
    ['payment', { ...toPayment(object), raw }],
    ['charge', { ...toCharge(charge), raw: charge }],
  ]
}

/** What it sells is kept apart: the prices within are others' and change without it. */
function mapPaymentLink(object: ProviderObject): [ObjectKind, Row][] {
  const { line_items: _, ...raw } = object
  return [['payment_link', { ...toPaymentLink(object), raw }]]
}

const mappers: Readonly<Record<ObjectKind, Mapper>> = {
  product: one('product', toProduct),
  price: one('price', toPrice),
  coupon: one('coupon', toCoupon),
  promotion_code: one('promotion_code', toPromotionCode),
  payment_link: mapPaymentLink,
  customer: one('customer', toCustomer),
  subscription: (object, { inputsFor, nowS }) => [
    ['subscription', { ...toSubscription(object, inputsFor(object), nowS), raw: object }],
  ],
  invoice: one('invoice', toInvoice),
  payment: mapPayment,
  invoice_payment: one('invoice_payment', toInvoicePayment),
  charge: mapCharge,
  refund: one('refund', toRefund),
  dispute: one('dispute', toDispute),
  checkout_session: one('checkout_session', toCheckoutSession),
  balance_transaction: one('balance_transaction', toBalanceTransaction),
}

function readRows(
  kind: ObjectKind,
  object: ProviderObject,
  circumstances: Circumstances,
  unreadable: Unreadable[],
): [ObjectKind, Row][] {
  try {
    return mappers[kind](object, circumstances)
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error
    unreadable.push({ id: object.id, missing: error.missing })
    return []
  }
}

export type Unreadable = { id: string; missing: string }

/** The rows that objects become, the last one of each id; `unreadable` is filled with those that become none. */
export function toRows(
  kind: ObjectKind,
  objects: readonly ProviderObject[],
  circumstances: Circumstances,
  unreadable: Unreadable[] = [],
): Rows {
  const byKind = new Map<ObjectKind, Map<string, Row>>()
  for (const object of objects) {
    for (const [rowKind, row] of readRows(kind, object, circumstances, unreadable)) {
      const rows = byKind.get(rowKind) ?? new Map<string, Row>()
      byKind.set(rowKind, rows.set(row.id, row))
    }
  }
  return Object.fromEntries([...byKind].map(([rowKind, rows]) => [rowKind, [...rows.values()]]))
}
