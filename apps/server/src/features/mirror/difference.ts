import { isDeepStrictEqual } from 'node:util'
import type { ObjectKind } from '../../integrations/stripe/gateway.ts'
import type { Difference } from './queries/walk.ts'

/** Parts of objects that are made anew for every answer, and counters that move without an event. */
const volatile = new Set([
  ...['hosted_invoice_url', 'invoice_pdf', 'receipt_url', 'client_secret', 'url'],
  ...['next_invoice_sequence', 'times_redeemed', 'completed_sessions'],
])
/** Computed by us: they follow from the rest, and time moves some of them. */
const computed = new Set(['mrr', 'mrr_known', 'mrr_running', 'mrr_changes_at', 'mrr_depends_on'])

const none: ReadonlySet<string> = new Set()

const maxFields = 8
const maxLength = 60

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** The parts of the provider's object that differ, by name, apart from the volatile ones at any depth. */
function differingParts(ours: unknown, theirs: unknown): string[] {
  if (!isRecord(ours) || !isRecord(theirs)) return []
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...names].filter((name) => !volatile.has(name) && !isSame(ours[name], theirs[name])).sort()
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (isRecord(a) && isRecord(b)) return differingParts(a, b).length === 0
  return isDeepStrictEqual(a ?? null, b ?? null)
}

/** No event tells that a checkout was opened. */
const isSilent = (kind: ObjectKind, theirs: Difference['theirs']): boolean =>
  kind === 'checkout_session' && theirs['status'] === 'open'

/** No event is about these, and they become available by themselves: that a walk brings them is how they come. */
const isUntold = (kind: ObjectKind): boolean => kind === 'balance_transaction'

/** A code or a link with a limit is over once it is reached, of which no event tells. */
const endedByItself = (kind: ObjectKind, theirs: Difference['theirs']): boolean =>
  (kind === 'promotion_code' || kind === 'payment_link') &&
  theirs['active'] === false &&
  ['expires_at', 'max_redemptions', 'most_sessions'].some((limit) => (theirs[limit] ?? null) !== null)

/** What differs, field by field in words; null when nothing does that would matter to anybody. */
export function describeDifference(kind: ObjectKind, { ours, theirs }: Difference): string | null {
  if (isUntold(kind)) return null
  if (ours === null) return isSilent(kind, theirs) ? null : 'Missing here'
  const untold = endedByItself(kind, theirs) ? new Set(['active']) : none
  const fields = Object.keys(theirs).filter(
    (name) =>
      name !== 'raw' &&
      ![volatile, computed, untold].some((names) => names.has(name)) &&
      !isSame(ours[name], theirs[name]),
  )
  const told = fields.slice(0, maxFields).map((name) => {
    if (isRecord(theirs[name])) return `${name} differs`
    return `${name}: ${inWords(ours[name])} → ${inWords(theirs[name])}`
  })
  if (fields.length > maxFields) told.push(`and ${fields.length - maxFields} more fields`)
  if (told.length > 0) return told.join('; ')
  const parts = differingParts(ours['raw'], theirs['raw']).filter((name) => !untold.has(name))
  return parts.length > 0 ? `details differ: ${parts.slice(0, maxFields).join(', ')}` : null
}
