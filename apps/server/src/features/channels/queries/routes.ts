import type { Route } from '@agency/contract/channels'
import type { AlertSeverity } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { Concerned, RouteRule } from '../routing.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type RouteRow = {
  id: string
  channel_id: string
  min_severity: AlertSeverity
  customer_ids: string[]
  plan_ids: string[]
  quiet_from: number | null
  quiet_until: number | null
  time_zone: string | null
  is_enabled: boolean
  created_at: Date
  version: number
}

export type ShownRoute = RouteRow & Pick<Route, 'channel_name' | 'customers' | 'plans'>

const shown = sql`
  select r.*, c.name as channel_name,
    coalesce((select jsonb_agg(jsonb_build_object('id', i, 'name', coalesce(x.name, x.email, i)) order by i)
      from unnest(r.customer_ids) i left join customers x on x.id = i), '[]') as customers,
    coalesce((select jsonb_agg(jsonb_build_object('id', i, 'name', coalesce(p.name, i)) order by i)
      from unnest(r.plan_ids) i left join products p on p.id = i), '[]') as plans
  from notification_routes r join notification_channels c on c.id = r.channel_id`

export async function findShownRoutes({ db }: Db): Promise<ShownRoute[]> {
  const { rows } = await sql<ShownRoute>`${shown} order by lower(c.name), r.created_at, r.id`.execute(db)
  return rows
}

export async function findShownRoute({ db }: Db, id: string): Promise<ShownRoute | undefined> {
  const { rows } = await sql<ShownRoute>`${shown} where r.id = ${id}`.execute(db)
  return rows[0]
}

export async function lockRoute({ db }: Tx, id: string): Promise<RouteRow | undefined> {
  const { rows } = await sql<RouteRow>`select * from notification_routes where id = ${id} for update`.execute(db)
  return rows[0]
}

export async function insertRoute({ db }: Tx, row: Omit<RouteRow, 'version' | 'is_enabled'>): Promise<void> {
  await db.insertInto('notification_routes').values(row).execute()
}

type Patch = Partial<Omit<RouteRow, 'id' | 'channel_id' | 'created_at' | 'version'>>

export async function patchRoute({ db }: Tx, id: string, patch: Patch): Promise<void> {
  await db
    .updateTable('notification_routes')
    .set({ ...patch, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function deleteRouteRow({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('notification_routes').where('id', '=', id).execute()
}

export type OpenRoute = RouteRule & { channel_id: string }

/** Those that are switched on, to channels that are. */
export async function findOpenRoutes({ db }: Db): Promise<OpenRoute[]> {
  const { rows } = await sql<OpenRoute>`
    select r.channel_id, r.min_severity, r.customer_ids, r.plan_ids, r.quiet_from, r.quiet_until, r.time_zone
    from notification_routes r join notification_channels c on c.id = r.channel_id
    where r.is_enabled and c.is_enabled order by lower(c.name), r.channel_id, r.id`.execute(db)
  return rows
}

/** What customers pay for now. */
export async function findConcerned({ db }: Db, customerIds: readonly string[]): Promise<Concerned[]> {
  if (customerIds.length === 0) return []
  const { rows } = await sql<Concerned>`
    select i as id, coalesce(array_agg(distinct s.product_id) filter (where s.product_id is not null), '{}') as plans
    from unnest(${[...customerIds]}::text[]) i
    left join subscriptions s on s.customer_id = i and s.deleted_at is null
      and s.status in ('active', 'trialing', 'past_due')
    group by i order by i`.execute(db)
  return rows
}

export type PastMessage = { title: string; level: AlertSeverity; customer_ids: string[]; created_at: Date }

/** What the bell told, the newest first. */
export async function findPast({ db }: Db, since: Date): Promise<PastMessage[]> {
  const { rows } = await sql<PastMessage>`
    select title, level, customer_ids, created_at from notifications
    where created_at >= ${since} order by created_at desc, id desc limit 2000`.execute(db)
  return rows
}

export async function countKnown({ db }: Db, customers: readonly string[], plans: readonly string[]) {
  const { rows } = await sql<{ customers: number; plans: number }>`
    select (select count(*) from customers where id = any(${[...customers]}::text[])) as customers,
      (select count(*) from products where id = any(${[...plans]}::text[])) as plans`.execute(db)
  return rows[0] ?? { customers: 0, plans: 0 }
}
