import { createHash } from 'node:crypto'
import { accountTypes, maxMetadataKeys, ownMetadataKeys } from '@agency/contract/customers'
import type { AccountType } from '@agency/contract/types'
import { type Fields, fields, metadataOf, text } from '../../../integrations/stripe/fields.ts'
import type { CustomerAddress, CustomerChange } from '../../../integrations/stripe/gateway.ts'

/** What of a customer may be changed here. */
export type Editable = {
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  account_type: AccountType | null
  address: CustomerAddress
  metadata: Record<string, string>
}

/** What somebody wants: fields that are left out stay. */
export type Wanted = Partial<Omit<Editable, 'address' | 'metadata'>> & {
  address?: CustomerAddress | null
  metadata?: Record<string, string | null>
}

const addressParts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
const lines = ['name', 'email', 'phone'] as const
const isOwn = (key: string): boolean => (ownMetadataKeys as readonly string[]).includes(key)

const addressOf = (value: unknown): CustomerAddress =>
  Object.fromEntries(addressParts.map((part) => [part, text(fields(value)[part])])) as CustomerAddress

const noAddress = addressOf(null)

export const nothing: Editable = {
  name: null,
  email: null,
  phone: null,
  company: null,
  account_type: null,
  address: noAddress,
  metadata: {},
}

/** Read from the object as the provider sent it, which is what the mirror keeps too. */
export function editableOf(object: Fields): Editable {
  const metadata = metadataOf(object)
  const type = metadata['account_type']?.trim().toLowerCase()
  return {
    name: text(object['name']),
    email: text(object['email']),
    phone: text(object['phone']),
    company: text(metadata['company']?.trim()) ?? text(object['business_name']),
    account_type: accountTypes.find((each) => each === type) ?? null,
    address: addressOf(object['address']),
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !isOwn(key))),
  }
}

const sorted = (record: Record<string, unknown>) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

/** Differs as soon as anything differs that may be changed here. */
export function versionOf({ address, metadata, ...rest }: Editable): string {
  const whole = JSON.stringify([sorted(rest), sorted(address), sorted(metadata)])
  return createHash('sha256').update(whole).digest('base64url')
}

function addressChange(before: CustomerAddress, wanted: Wanted['address']): Pick<CustomerChange, 'address'> {
  if (wanted === undefined) return {}
  const after = wanted ?? noAddress
  if (addressParts.every((part) => after[part] === before[part])) return {}
  // Whole, because it is not told whether the provider merges it.
  return { address: addressParts.every((part) => after[part] === null) ? null : after }
}

function metadataChange(before: Editable, wanted: Wanted): Record<string, string | null> {
  const own = (['company', 'account_type'] as const).flatMap((key): [string, string | null][] => {
    const value = wanted[key]
    return value === undefined || value === before[key] ? [] : [[key, value]]
  })
  const others = Object.entries(wanted.metadata ?? {}).filter(
    // An empty value is none at the provider.
    ([key, value]) => (value || null) !== (Object.hasOwn(before.metadata, key) ? before.metadata[key] : null),
  )
  return Object.fromEntries([...own, ...others.map(([key, value]): [string, string | null] => [key, value || null])])
}

/** What has to be sent to get there, or null when nothing differs. */
export function changeOf(before: Editable, wanted: Wanted): CustomerChange | null {
  const change: CustomerChange = addressChange(before.address, wanted.address)
  for (const line of lines) {
    const value = wanted[line]
    if (value !== undefined && value !== before[line]) change[line] = value
  }
  const metadata = metadataChange(before, wanted)
  if (Object.keys(metadata).length > 0) change.metadata = metadata
  // The company may also stand in the provider's own field, which would show again.
  if (metadata['company'] === null) change.business_name = null
  return Object.keys(change).length === 0 ? null : change
}

/** Whether more keys would be added than the provider takes; the console's own are counted in. */
export function hasTooManyKeys(before: Editable, wanted: Wanted): boolean {
  const keys = new Set(Object.keys(before.metadata))
  for (const [key, value] of Object.entries(wanted.metadata ?? {})) value ? keys.add(key) : keys.delete(key)
  return keys.size > maxMetadataKeys - ownMetadataKeys.length && keys.size > Object.keys(before.metadata).length
}

const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)

function pick(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(from, key) ? from[key] : null]))
}

/** Both sides of what differs, for the audit log. */
export function differenceOf(before: Editable, after: Editable): Record<'before' | 'after', Record<string, unknown>> {
  const names = (Object.keys(after) as (keyof Editable)[]).filter((name) => differs(before[name], after[name]))
  const keys = [...new Set([...Object.keys(before.metadata), ...Object.keys(after.metadata)])].filter((key) =>
    differs(before.metadata[key], after.metadata[key]),
  )
  const side = (of: Editable) => ({
    ...pick(of, names),
    ...(keys.length > 0 && { metadata: pick(of.metadata, keys) }),
  })
  return { before: side(before), after: side(after) }
}
