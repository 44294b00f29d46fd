import type { QueryOf } from '@agency/contract/endpoint'
import type { listImpersonations } from '@agency/contract/impersonation'
import type { Impersonation } from '@agency/contract/types'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'

/** Aliases: i impersonations, c customers, u users. `session` is the placeholder of the session that asks. */
const columnsFor = (session: string): string => `i.id, i.way, i.state, i.customer_id, c.name as customer_name,
  c.email as customer_email, c.id is null or c.deleted_at is not null or c.status = 'deleted' as customer_deleted, i.reason, i.ticket_id,
  i.actor_id, coalesce(u.name, i.actor_name) as actor_name, iso_utc(i.started_at) as started_at,
  iso_utc(i.until) as until, iso_utc(i.ended_at) as ended_at, i.cause, i.ended_by, i.notice,
  (select coalesce(json_agg(p.page order by p.first_seen_at, p.page), '[]')
    from impersonation_pages p where p.impersonation_id = i.id) as pages,
  coalesce(i.session_id = ${session}, false) as is_mine`

const joins = `left join customers c on c.id = i.customer_id
  left join users u on i.actor_type = 'user' and u.id = i.actor_id`

const shown = { all: 'true', live: `i.state in ('live', 'requested')`, past: `i.state not in ('live', 'requested')` }

type Query = QueryOf<typeof listImpersonations>
type Page = { impersonations: Impersonation[]; has_more: boolean; total: number }

export async function findImpersonations(pool: Pool, query: Query, sessionId: string | null): Promise<Page> {
  const values = new Values()
  const where = [shown[query.show ?? 'all']]
  const list: List = {
    table: 'impersonations',
    alias: 'i',
    order: { from: 'impersonations i', key: 'i.started_at', id: 'i.id', isWhole: true },
    isDescending: true,
    where,
    columns: columnsFor(`${values.add(sessionId)}::text`),
    joins,
    total: `(select count(*) from impersonations i where ${where.join(' and ')})`,
    values,
    isPrepared: true,
  }
  return JSON.parse(await readPage(pool, 'impersonations', list, query))
}

export async function findShown(pool: Pool, id: string, sessionId: string | null): Promise<Impersonation | undefined> {
  const text = `select row_to_json(x)::text as item from (
    select ${columnsFor('$2::text')} from impersonations i ${joins} where i.id = $1) x`
  const [row] = await runStatement<{ item: string }>(pool, { text, values: [id, sessionId] })
  return row && (JSON.parse(row.item) as Impersonation)
}
