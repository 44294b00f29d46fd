import type * as customers from '@agency/contract/descriptors/customers'
import type { AccountType, CustomerForm } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import { newId } from '../../lib/api.ts'
import { differences } from '../../lib/form/differences.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'

export type MetadataRow = { id: string; key: string; value: string }

const lines = ['name', 'email', 'phone', 'company'] as const
const addressLines = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
type Line = (typeof lines)[number] | (typeof addressLines)[number]

/** As they are typed: everything is text, and empty is none. */
export type CustomerFields = Record<Line, string> & {
  version: string
  account_type: AccountType | ''
  metadata: MetadataRow[]
}

type Changes = Omit<NonNullable<Input<typeof customers.createCustomer>['body']>, 'metadata'> & {
  metadata?: Record<string, string | null>
}
type Metadata = Record<string, string>

const limits: Partial<Record<Line, number>> = { name: 256, email: 512, phone: 20, company: 500 }
const maxKey = 40
const maxValue = 500
/** The provider takes 50, of which the console needs 3 itself. */
const maxPairs = 47
const ownKeys = ['company', 'account_type', 'action_id']

const rowsOf = (metadata: Metadata): MetadataRow[] =>
  Object.entries(metadata).map(([key, value]) => ({ id: newId(), key, value }))

export const emptyRow = (): MetadataRow => ({ id: newId(), key: '', value: '' })

export const emptyFields: CustomerFields = {
  version: '',
  ...(Object.fromEntries([...lines, ...addressLines].map((line) => [line, ''])) as Record<Line, string>),
  account_type: '',
  metadata: [],
}

export function fieldsOf(form: CustomerForm): CustomerFields {
  const texts = [
    ...lines.map((line) => [line, form[line] ?? '']),
    ...addressLines.map((line) => [line, form.address[line] ?? '']),
  ]
  return {
    ...(Object.fromEntries(texts) as Record<Line, string>),
    version: form.version,
    account_type: form.account_type ?? '',
    metadata: rowsOf(form.metadata),
  }
}

const pairsOf = (rows: readonly MetadataRow[]): Metadata =>
  Object.fromEntries(rows.filter(({ key, value }) => key.trim() && value).map(({ key, value }) => [key.trim(), value]))

function metadataChanges(before: Metadata, after: Metadata): Record<string, string | null> {
  const changed = Object.entries(after).filter(([key, value]) => !Object.hasOwn(before, key) || before[key] !== value)
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return Object.fromEntries([...changed, ...removed.map((key): [string, null] => [key, null])])
}

function bodyOf(fields: CustomerFields) {
  const texts = (names: readonly Line[]) => Object.fromEntries(names.map((line) => [line, fields[line].trim() || null]))
  return { ...texts(lines), account_type: fields.account_type || null, address: texts(addressLines), metadata: {} }
}

/** What differs, as the server takes it; null when nothing does. */
export function changesOf(fields: CustomerFields, before: CustomerFields = emptyFields): Changes | null {
  const metadata = metadataChanges(pairsOf(before.metadata), pairsOf(fields.metadata))
  const changes = { ...bodyOf(fields), metadata }
  return differences<Changes>(changes, bodyOf(before))
}

/** Metadata that was typed over the old state, pair by pair over the newer one. */
function mergeMetadata(typed: CustomerFields, before: CustomerFields, now: CustomerFields) {
  const changed = metadataChanges(pairsOf(before.metadata), pairsOf(typed.metadata))
  const pairs = Object.entries({ ...pairsOf(now.metadata), ...changed })
  return { metadata: rowsOf(Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null))) }
}

function metadataProblem(rows: readonly MetadataRow[]): string | undefined {
  const keys = rows.map(({ key }) => key.trim())
  const named = keys.filter((key) => key !== '')
  if (rows.some(({ key, value }) => !key.trim() && value)) return 'Every metadata value needs a key'
  if (rows.some(({ key, value }) => key.trim() && !value)) return 'Enter a value, or remove the pair'
  if (named.some((key) => key.length > maxKey)) return `A key has ${maxKey} characters at most`
  if (named.some((key) => /[[\]]/.test(key))) return 'A key has no square brackets'
  if (rows.some(({ value }) => value.length > maxValue)) return `A value has ${maxValue} characters at most`
  if (new Set(named).size < named.length) return 'Two pairs have the same key'
  const own = named.find((key) => ownKeys.includes(key))
  if (own) return `The key ${own} is kept for the console`
  return named.length > maxPairs ? `At most ${maxPairs} pairs` : undefined
}

function customerProblems(fields: CustomerFields): Problems<CustomerFields> {
  const problems: Problems<CustomerFields> = {}
  if (!fields.name.trim() && !fields.email.trim()) problems.name = 'Enter a name or an email'
  for (const line of lines) {
    const limit = limits[line]
    if (limit && fields[line].trim().length > limit) problems[line] = `At most ${limit} characters`
  }
  if (!/^([A-Za-z]{2})?$/.test(fields.country.trim())) problems.country = 'Enter the two-letter code, such as US'
  const metadata = metadataProblem(fields.metadata)
  if (metadata) problems.metadata = metadata
  return problems
}

/** What every form of a customer has in common. */
export const customerForm = { problemsOf: customerProblems, merge: mergeMetadata }
