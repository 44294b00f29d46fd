import type { AuditEntry } from '@agency/contract/audit'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import { differencesOf } from '../differences.ts'
import { toEntry } from '../entry.ts'
import { findActions, findEntry, findPage, findResources } from '../queries/entries.ts'
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

export function listEntries(ctx: RequestContext, query: EntryFilters & PageQuery) {
  const { limit, starting_after, ending_before, ...filters } = query
  return findEntries(ctx, filters, { limit, starting_after, ending_before })
}

export async function getEntry({ pool }: RequestContext, id: string) {
  const row = await findEntry(pool, id)
  if (!row) throw notFound(`Audit entry ${id}`)
  const { user_agent, seq, hash, previous_hash, newer_id, older_id } = row
  return {
    entry: toEntry(row),
    user_agent,
    before: row.before ?? null,
    after: row.after ?? null,
    differences: differencesOf(row.before, row.after),
    chain: seq === null || hash === null ? null : { seq, hash, previous_hash: previous_hash ?? '' },
    newer_id,
    older_id,
  }
}

export async function listFacets({ pool }: RequestContext) {
  const [actions, resources] = await Promise.all([findActions(pool), findResources(pool)])
  return { actions, resources }
}
