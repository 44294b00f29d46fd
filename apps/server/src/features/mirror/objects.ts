import { isName } from '../../integrations/stripe/event-name.ts'
import { fields, idOf, text } from '../../integrations/stripe/fields.ts'
import type { ObjectKind } from '../../integrations/stripe/gateway.ts'
import type { ObjectRef } from './queries/events.ts'

/** The provider's word for a kind, as events and their objects spell it. */
const kindOfName: Readonly<Record<string, ObjectKind>> = {
  product: 'product',
  price: 'price',
  coupon: 'coupon',
  promotion_code: 'promotion_code',
  payment_link: 'payment_link',
  customer: 'customer',
  subscription: 'subscription',
  invoice: 'invoice',
  payment_intent: 'payment',
  invoice_payment: 'invoice_payment',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  'checkout.session': 'checkout_session',
  balance_transaction: 'balance_transaction',
}

/** Keys made before the console read these lack the right; everything else works without. */
export const isOptional = (kind: ObjectKind): boolean => optional.has(kind)
const optional: ReadonlySet<ObjectKind> = new Set(['balance_transaction', 'promotion_code', 'payment_link'])

const kindOf = (name: unknown): ObjectKind | null =>
  typeof name === 'string' && Object.hasOwn(kindOfName, name) ? (kindOfName[name] as ObjectKind) : null

/** A discount is no object of its own: it changes the subscription or the customer that has it. */
function ownerOfDiscount(discount: unknown): ObjectRef | null {
  const subscription = idOf(fields(discount)['subscription'])
  if (subscription) return refOf('subscription', subscription)
  return refOf('customer', idOf(fields(discount)['customer']))
}

const refOf = (kind: ObjectKind | null, id: string | null | undefined): ObjectRef | null =>
  kind && id && isName(id) ? { kind, id } : null

/** What an event is about. Only names and ids are read from it: its object may be older than what is here already. */
export function objectOfEvent(event: Readonly<Record<string, unknown>>): ObjectRef | null {
  const related = fields(event['related_object'])
  const object =
    event['object'] === 'v2.core.event'
      ? { ...related, object: related['type'] }
      : fields(fields(event['data'])['object'])
  if (object['object'] === 'discount') return ownerOfDiscount(object)
  return refOf(kindOf(object['object']), text(object['id']))
}
