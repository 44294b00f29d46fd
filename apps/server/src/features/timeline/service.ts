import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { Permission } from '@agency/contract/permissions'
import type { listTimeline as endpoint } from '@agency/contract/timeline'
import type { TimelineEntry, TimelineKind } from '@agency/contract/types'
import type { RequestContext } from '../../context.ts'
import { declineText } from '../../integrations/stripe/decline-text.ts'
import { invalidParameter, notFound } from '../../platform/errors.ts'
import { jobTitle, jobTitles } from '../../platform/job-titles.ts'
import { findDeeds, toEntry as toAuditEntry, toStep } from '../audit/index.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { resources } from './queries/kinds/actions.ts'
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

function toEntry(customerId: string, row: TimelineRow, steps: TimelineEntry['steps']): TimelineEntry {
  const { source, kind, at, status, amount, currency } = row
  const detail = kind === 'payment' && row.detail ? declineText(row.detail) : row.detail
  const is_live = row.is_live ?? false
  // Work of the console itself is told by what it does.
  const actor = row.actor !== null && Object.hasOwn(jobTitles, row.actor) ? jobTitle(row.actor) : row.actor
  const known = { id: `${source}:${row.id}`, at, kind, detail, actor, status, is_live, amount, currency, steps }
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

function readingOf({ limit, kinds, before, after, until, search }: Query): Omit<Reading, 'sources'> {
  const given = Object.entries({ before, after, until }).filter(([, value]) => value !== undefined)
  if (given.length > 1) throw invalidParameter(given[1]?.[0] ?? 'until', `cannot be combined with ${given[0]?.[0]}`)
  const isPrepared = !kinds?.length && !search && limit === usualLimit
  const read = { search, limit: limit + 1, direction: after === undefined ? 'older' : 'newer', isPrepared } as const
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

const permissionOf = (resource: string): Permission =>
  resources[resource] ?? (resource === 'site' ? 'sites.read' : 'admin.system')

/** The states of each deed that has several, from first to last; what the caller may not read elsewhere is left out. */
async function findSteps({ pool, actor }: RequestContext, rows: readonly TimelineRow[]) {
  const deeds = await findDeeds(
    pool,
    rows.flatMap(({ deed }) => deed ?? []),
  )
  const readable = [...deeds].map(([deed, entries]) => {
    const steps = entries.filter((entry) => actor.permissions.has(permissionOf(entry.resource_type))).map(toStep)
    return [deed, steps.length > 1 ? steps : []] as const
  })
  return new Map(readable)
}

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
  const steps = await findSteps(ctx, rows)
  const previous = (isOlder ? found.hasBehind : goesOn) ? edge(rows[0]) : null
  return {
    entries: rows.map((row) => toEntry(id, row, steps.get(row.deed ?? '') ?? [])),
    has_more: next !== null,
    next,
    previous,
    hidden: hiddenFrom(held),
  }
}
