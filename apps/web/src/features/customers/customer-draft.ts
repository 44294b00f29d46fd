import type * as customers from '@agency/contract/descriptors/customers'
import type { AccountType, CustomerForm } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import { newId } from '../../lib/api.ts'

export type MetadataRow = { id: string; key: string; value: string }

const lines = ['name', 'email', 'phone', 'company'] as const
const addressLines = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
type Line = (typeof lines)[number] | (typeof addressLines)[number]

/** As it is typed: everything is text, and empty is none. */
export type CustomerDraft = Record<Line, string> & { account_type: AccountType | ''; metadata: readonly MetadataRow[] }
export type Problems = Partial<Record<Line | 'account_type' | 'metadata', string>>

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

export const emptyDraft: CustomerDraft = {
  ...(Object.fromEntries([...lines, ...addressLines].map((line) => [line, ''])) as Record<Line, string>),
  account_type: '',
  metadata: [],
}

export function draftOf(form: CustomerForm): CustomerDraft {
  const texts = [
    ...lines.map((line) => [line, form[line] ?? '']),
    ...addressLines.map((line) => [line, form.address[line] ?? '']),
  ]
  return {
    ...(Object.fromEntries(texts) as Record<Line, string>),
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

const ofNothing: CustomerDraft = emptyDraft

/** What differs, as the server takes it; null when nothing does. */
export function changesOf(draft: CustomerDraft, before: CustomerDraft = ofNothing) {
  const differs = (line: Line) => draft[line].trim() !== before[line].trim()
  const changes: Changes = {}
  for (const line of lines) if (differs(line)) changes[line] = draft[line].trim() || null
  if (draft.account_type !== before.account_type) changes.account_type = draft.account_type || null
  if (addressLines.some(differs)) {
    changes.address = Object.fromEntries(addressLines.map((line) => [line, draft[line].trim() || null]))
  }
  const metadata = metadataChanges(pairsOf(before.metadata), pairsOf(draft.metadata))
  if (Object.keys(metadata).length > 0) changes.metadata = metadata
  return Object.keys(changes).length === 0 ? null : changes
}

/** What was typed over the old state, now over the new one. */
export function rebase(draft: CustomerDraft, before: CustomerDraft, now: CustomerDraft): CustomerDraft {
  const kept = [...lines, ...addressLines].filter((line) => draft[line] !== before[line])
  const changed = metadataChanges(pairsOf(before.metadata), pairsOf(draft.metadata))
  const metadata = Object.entries({ ...pairsOf(now.metadata), ...changed })
  return {
    ...now,
    ...(Object.fromEntries(kept.map((line) => [line, draft[line]])) as Partial<Record<Line, string>>),
    account_type: draft.account_type === before.account_type ? now.account_type : draft.account_type,
    metadata: rowsOf(Object.fromEntries(metadata.filter((pair): pair is [string, string] => pair[1] !== null))),
  }
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

/** What is wrong with the draft, told when the button is pressed. */
export function draftProblems(draft: CustomerDraft): Problems {
  const problems: Problems = {}
  if (!draft.name.trim() && !draft.email.trim()) problems.name = 'Enter a name or an email'
  for (const line of lines) {
    const limit = limits[line]
    if (limit && draft[line].trim().length > limit) problems[line] = `At most ${limit} characters`
  }
  if (!/^([A-Za-z]{2})?$/.test(draft.country.trim())) problems.country = 'Enter the two-letter code, such as US'
  const metadata = metadataProblem(draft.metadata)
  if (metadata) problems.metadata = metadata
  return problems
}

/** The refusal of the server or of the provider, at the field that it names: `address.country`, `metadata[company]`. */
export function refusedField(error: { message: string; parameter?: string | undefined } | null): Problems {
  const [first = '', second = ''] = (error?.parameter ?? '').split(/[.[\]]+/)
  const names: readonly string[] = [...lines, ...addressLines, 'account_type', 'metadata']
  const field = names.includes(second) ? second : names.includes(first) ? first : undefined
  return error && field ? { [field]: error.message.replace(/^[\w.]+: /, '') } : {}
}
