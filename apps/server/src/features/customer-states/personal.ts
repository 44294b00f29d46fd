import type { AppContext } from '../../context.ts'
import { type Fields, fields, idOf } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { findErased, findOwners } from './queries.ts'

/** What says who somebody is, in the objects of each kind. `metadata` may hold anything, so it counts. */
const personal: Partial<Record<ObjectKind, readonly string[]>> = {
  customer: [
    ...['name', 'email', 'phone', 'address', 'shipping', 'description', 'business_name', 'individual_name'],
    ...['metadata', 'preferred_locales', 'invoice_settings', 'sources', 'default_source', 'tax'],
  ],
  subscription: ['metadata', 'description'],
  invoice: [
    ...['customer_name', 'customer_email', 'customer_phone', 'customer_address', 'customer_shipping'],
    ...['customer_tax_ids', 'custom_fields', 'metadata', 'description', 'footer'],
  ],
  payment: ['receipt_email', 'shipping', 'metadata'],
  charge: ['billing_details', 'receipt_email', 'shipping', 'metadata', 'receipt_url', 'fraud_details'],
  checkout_session: [
    ...['customer_details', 'customer_email', 'collected_information', 'shipping_details', 'custom_fields'],
    ...['metadata', 'client_reference_id'],
  ],
  dispute: ['evidence', 'metadata'],
}

/** Only the console's own mark survives: it ties a refund to what was done here. */
function emptied(name: string, value: unknown): unknown {
  if (name !== 'metadata') return null
  const mark = fields(value)['action_id']
  return mark === undefined ? {} : { action_id: mark }
}

const cardless = (charge: Fields): Fields => {
  const { type } = fields(charge['payment_method_details'])
  return type === undefined ? charge : { ...charge, payment_method_details: { type } }
}

/** The object without what says who its customer is. Doing it twice changes nothing. */
export function withoutPersonal(kind: ObjectKind, object: ProviderObject): ProviderObject {
  // A payment of its own without an intent is a charge.
  const own = kind === 'payment' && object.object === 'charge' ? 'charge' : kind
  const names = new Set(personal[own] ?? [])
  if (names.size === 0) return object
  let stripped: Fields = Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, names.has(name) ? emptied(name, value) : value]),
  )
  if (own === 'charge') stripped = cardless(stripped)
  const latest = stripped['latest_charge']
  if (own === 'payment' && typeof latest === 'object' && latest !== null)
    stripped = { ...stripped, latest_charge: withoutPersonal('charge', latest as ProviderObject) }
  return stripped as ProviderObject
}

const paymentOf = (object: ProviderObject): string | null => idOf(object['payment_intent']) ?? idOf(object['charge'])

/** The same objects; those of erased customers without what says who they are. */
export async function withoutErased(
  { db }: Pick<AppContext, 'db'>,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
): Promise<readonly ProviderObject[]> {
  if (personal[kind] === undefined || objects.length === 0) return objects
  const payments = kind === 'dispute' ? objects.map(paymentOf).filter((id) => id !== null) : []
  const owners = await findOwners(db, payments)
  const ownerOf = (object: ProviderObject): string | null => {
    if (kind === 'customer') return object.id
    return kind === 'dispute' ? (owners.get(paymentOf(object) ?? '') ?? null) : idOf(object['customer'])
  }
  const customers = [...new Set(objects.map(ownerOf).filter((id) => id !== null))]
  const erased = await findErased(db, customers)
  if (erased.size === 0) return objects
  return objects.map((object) => (erased.has(ownerOf(object) ?? '') ? withoutPersonal(kind, object) : object))
}
