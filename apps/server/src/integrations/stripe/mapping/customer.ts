import { createdAt, type Fields, fields, idOf, metadataOf, text } from '../fields.ts'

export type CustomerRow = {
  id: string
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  country: string | null
  metadata: Record<string, string>
  created_at: string
  account_type_hint: string | null
  suspended_hint: boolean
  discount_coupon_id: string | null
}

const accountTypes = new Set(['enterprise', 'professional', 'starter', 'free'])

function accountTypeOf(metadata: Record<string, string>): string | null {
  const hint = metadata['account_type']?.trim().toLowerCase() ?? ''
  return accountTypes.has(hint) ? hint : null
}

function countryOf(object: Fields): string | null {
  const given =
    text(fields(object['address'])['country']) ?? text(fields(fields(object['shipping'])['address'])['country'])
  return given === null ? null : given.toUpperCase()
}

/** The customer's own discount, or null; a sample of it without a coupon is none. */
export function discountOf(object: Fields): Fields | null {
  const discount = fields(object['discount'])
  return idOf(fields(discount['source'])['coupon']) === null ? null : discount
}

export function toCustomer(object: Fields): CustomerRow {
  const metadata = metadataOf(object)
  return {
    id: String(object['id']),
    name: text(object['name']),
    email: text(object['email']),
    phone: text(object['phone']),
    company: text(metadata['company']?.trim()) ?? text(object['business_name']),
    country: countryOf(object),
    metadata,
    created_at: createdAt(object),
    account_type_hint: accountTypeOf(metadata),
    suspended_hint: metadata['status']?.trim().toLowerCase() === 'suspended',
    discount_coupon_id: idOf(fields(discountOf(object)?.['source'])['coupon']),
  }
}
