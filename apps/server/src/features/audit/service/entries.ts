import type { AuditEntry } from '@agency/contract/audit'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import { toDeed, toStep } from '../deed.ts'
import { differencesOf } from '../differences.ts'
import { toEntry } from '../entry.ts'
import { findDeeds } from '../queries/deeds.ts'
import { findActions, findDeedPage, findEntry, findPage, findResources } from '../queries/entries.ts'
import type { EntryFilters } from '../queries/entry-list.ts'

/** One page of the log, newest first; also for screens of other features. */
export async function findEntries(
  { pool }: Pick<RequestContext, 'pool'>,
  filters: EntryFilters,
  page: PageQuery,
): Promise<{ entries: AuditEntry[]; has_more: boolean }> {
  const { entries, has_more } = await findPage(pool, filters, page)
  return { entries: entries.map(toEntry), has_more }
}

type Query = EntryFilters & PageQuery & { group?: 'deed' | undefined }

export async function listEntries(ctx: RequestContext, query: Query) {
  const { limit, starting_after, ending_before, group, ...filters } = query
  const page = { limit, starting_after, ending_before }
  if (group === undefined) return findEntries(ctx, filters, page)
  const { entries, has_more } = await findDeedPage(ctx.pool, filters, page)
  const deeds = await findDeeds(
    ctx.pool,
    entries.flatMap(({ deed }) => deed ?? []),
  )
  return { entries: entries.map((place) => toDeed(place, deeds.get(place.deed ?? ''))), has_more }
}

export async function getEntry({ pool }: RequestContext, id: string) {
  const row = await findEntry(pool, id)
  if (!row) throw notFound(`Audit entry ${id}`)
  const { user_agent, seq, hash, previous_hash, newer_id, older_id, deed } = row
  const steps = deed === null ? [] : ((await findDeeds(pool, [deed])).get(deed) ?? [])
  return {
    entry: toEntry(row),
    user_agent,
    before: row.before ?? null,
    after: row.after ?? null,
    differences: differencesOf(row.before, row.after),
    chain: seq === null || hash === null ? null : { seq, hash, previous_hash: previous_hash ?? '' },
    newer_id,
    older_id,
    deed: toDeed(row, steps),
    steps: steps.length > 1 ? steps.map(toStep) : [],
  }
}

export async function listFacets({ pool }: RequestContext) {
  const [actions, resources] = await Promise.all([findActions(pool), findResources(pool)])
  return { actions, resources }
}
