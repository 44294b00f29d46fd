import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { Permission } from '@agency/contract/permissions'
import type { listTimeline as endpoint } from '@agency/contract/timeline'
import type { TimelineEntry, TimelineKind } from '@agency/contract/types'
import type { RequestContext } from '../../context.ts'
import { invalidParameter, notFound } from '../../platform/errors.ts'
import { toEntry as toAuditEntry } from '../audit/index.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { sources } from './queries/sources.ts'
import { findTimeline, type Reading, type TimelineRow, turned } from './queries/timeline.ts'
import { titleOf } from './words.ts'

const screenPath = (screen: string, params: Record<string, string>): string =>
  `/admin/${screen}?${new URLSearchParams(params)}`

/** Where the console shows what an entry is about; null where that is the customer itself. */
function pathOf({ kind, object_id: id }: Pick<TimelineRow, 'kind' | 'object_id'>): string | null {
  if (kind === 'mail') return screenPath('config', { tab: 'outbox' })
  if (id === null) return null
  if (kind === 'note') return screenPath('customers', { open: id, tab: 'notes' })
  if (kind === 'deployment') return screenPath('deployments', { open: id })
  if (kind === 'alert') return screenPath('alerts', { open: id })
  if (kind === 'purchase') return screenPath('purchases', { open: id })
  if (kind === 'invoice')
    return id.startsWith('sub_')
      ? screenPath('subscriptions', { open: id, view: 'invoices' })
      : screenPath('payments', { customer: id })
  return screenPath(kind === 'subscription' ? 'subscriptions' : 'payments', { open: id })
}

type Query = QueryOf<typeof endpoint>
type Answer = ResponseOf<typeof endpoint>

function toEntry(customerId: string, row: TimelineRow): TimelineEntry {
  const { source, kind, at, status, amount, currency, actor, detail } = row
  const known = { id: `${source}:${row.id}`, at, kind, detail, actor, status, amount, currency }
  if (!row.audit) return { ...known, title: titleOf(row), path: pathOf(row) }
  const { details, link, resource, resource_id } = toAuditEntry(row.audit)
  return { ...known, title: details, path: resource === 'customer' && resource_id === customerId ? null : link }
}

function cursorFrom(name: 'before' | 'after', text: string): Cursor {
  const cursor = readCursor(text)
  const source = sources.find((one) => one.name === cursor?.source)
  const isId = !source?.hasNumbers || /^\d{1,18}$/.test(cursor?.id ?? '')
  if (!cursor || !isId || (cursor.source !== null && !source))
    throw invalidParameter(name, 'must come from an earlier answer')
  return cursor
}

const usualLimit = 25

function readingOf({ limit, kinds, before, after, until }: Query): Omit<Reading, 'sources'> {
  const given = Object.entries({ before, after, until }).filter(([, value]) => value !== undefined)
  if (given.length > 1) throw invalidParameter(given[1]?.[0] ?? 'until', `cannot be combined with ${given[0]?.[0]}`)
  const isPrepared = !kinds?.length && limit === usualLimit
  const read = { limit: limit + 1, direction: after === undefined ? 'older' : 'newer', isPrepared } as const
  if (before !== undefined) return { ...read, cursor: cursorFrom('before', before) }
  if (after !== undefined) return { ...read, cursor: cursorFrom('after', after) }
  return { ...read, cursor: until === undefined ? undefined : { at: until, source: null, id: '', isIncluded: false } }
}

/** Kinds of which nothing is shown, with the permission that one would need. */
function hiddenFrom(held: ReadonlySet<Permission>): { kind: TimelineKind; permission: Permission }[] {
  const shown = new Set(sources.filter(({ permission }) => held.has(permission)).map(({ kind }) => kind))
  const hidden = new Map(sources.map(({ kind, permission }) => [kind, permission]))
  return [...hidden].filter(([kind]) => !shown.has(kind)).map(([kind, permission]) => ({ kind, permission }))
}

const placeOf = ({ source, id, at }: TimelineRow): Cursor => ({ at, source, id, isIncluded: false })

/** What happened with a customer and whatever is theirs, newest first. */
export async function listTimeline(ctx: RequestContext, id: string, query: Query): Promise<Answer> {
  const held = ctx.actor.permissions
  const chosen = sources.filter(
    ({ kind, permission }) => held.has(permission) && (!query.kinds?.length || query.kinds.includes(kind)),
  )
  const reading = { ...readingOf(query), sources: chosen }
  const found = await findTimeline(ctx.pool, id, reading)
  if (!found) throw notFound(`Customer ${id}`)
  const near = found.rows.slice(0, query.limit)
  const isOlder = reading.direction === 'older'
  const rows = isOlder ? near : near.toReversed()
  const goesOn = found.rows.length > query.limit
  const { cursor } = reading
  const edge = (row: TimelineRow | undefined): string | null =>
    row ? writeCursor(placeOf(row)) : cursor ? writeCursor(turned(cursor)) : null
  const next = (isOlder ? goesOn : found.hasBehind) ? edge(rows.at(-1)) : null
  const previous = (isOlder ? found.hasBehind : goesOn) ? edge(rows[0]) : null
  return {
    entries: rows.map((row) => toEntry(id, row)),
    has_more: next !== null,
    next,
    previous,
    hidden: hiddenFrom(held),
  }
}
