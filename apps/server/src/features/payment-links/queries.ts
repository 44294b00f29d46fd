import type { paymentLinks } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../db/types.ts'
import type { Fields } from '../../integrations/stripe/fields.ts'
import type { LinkItem } from '../../integrations/stripe/mapping/payment-link.ts'
import { type List, readPage } from '../../platform/keyset.ts'
import { Values } from '../../platform/statements.ts'
import { type ActionRow, escapePattern } from '../billing/index.ts'

// Aliases: pl payment_links, p products, r prices.

export type LinkRow = {
  id: string
  url: string | null
  active: boolean
  currency: string
  allow_promotion_codes: boolean
  trial_days: number | null
  completed_sessions: number | null
  most_sessions: number | null
  fetched_at: string
  asks_for_card: boolean
  adds_tax: boolean
  adds_shipping: boolean
  items: (LinkItem & { name: string | null; is_offered: boolean | null })[]
}

const isOffered = 'r.active and r.deleted_at is null and coalesce(p.active and p.deleted_at is null, false)'

const columns = `pl.id, pl.url, pl.active, pl.currency, pl.allow_promotion_codes, pl.trial_days, pl.completed_sessions,
  pl.most_sessions, iso_utc(pl.fetched_at) as fetched_at,
  pl.raw ->> 'payment_method_collection' is not distinct from 'always' as asks_for_card,
  pl.raw #>> '{automatic_tax,enabled}' is not distinct from 'true' as adds_tax,
  jsonb_typeof(pl.raw #> '{shipping_options,0}') is not null as adds_shipping,
  (select coalesce(json_agg(i.item || jsonb_build_object('name', coalesce(nullif(p.name, ''), r.nickname),
      'is_offered', case when r.id is not null then ${isOffered} end) order by i.position), '[]')
    from jsonb_array_elements(pl.items) with ordinality i(item, position)
    left join prices r on r.id = i.item ->> 'price' left join products p on p.id = i.item ->> 'product') as items`

export type LinksQuery = QueryOf<typeof paymentLinks.listPaymentLinks>
type Page = { payment_links: LinkRow[]; has_more: boolean; total: number | null; as_of: string | null }

/** Of a whole address only what follows the host counts: it is what the provider made up. */
const wantedOf = (search: string): string => (URL.canParse(search) ? new URL(search).pathname : search)

export async function findLinkPage(pool: Pool, { search, state, ...page }: LinksQuery): Promise<Page> {
  const values = new Values()
  const where = ['pl.deleted_at is null']
  if (state) where.push(state === 'active' ? 'pl.active' : 'not pl.active')
  if (search) {
    const pattern = values.add(`%${escapePattern(wantedOf(search))}%`)
    where.push(`(pl.id ilike ${pattern} or pl.url ilike ${pattern} or exists (
      select from jsonb_array_elements(pl.items) i join products p on p.id = i ->> 'product' where p.name ilike ${pattern}))`)
  }
  const list: List = {
    ...{ table: 'payment_links', alias: 'pl', columns, joins: '', where, values, isPrepared: false },
    ...{ order: { from: 'payment_links pl', key: 'pl.id', id: 'pl.id', isWhole: true }, isDescending: true },
    total: search || state ? null : '(select count(*) from payment_links where deleted_at is null)',
    asOf: 'mirror_as_of()',
  }
  return JSON.parse(await readPage(pool, 'payment_links', list, page)) as Page
}

export async function findLink(db: Kysely<DB>, id: string): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select ${sql.raw(columns)} from payment_links pl where pl.id = ${id} and pl.deleted_at is null`.execute(db)
  return rows[0]
}

/** Of two requests about one link the second sees what the first has begun. */
export const lockLink = (tx: Transaction<DB>, id: string) =>
  tx.selectFrom('payment_links').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether one of these was here before a moment: whatever is listed behind it is older still. */
export async function hasKnownBefore(db: Kysely<DB>, ids: readonly string[], at: Date): Promise<boolean> {
  if (ids.length === 0) return false
  const known = db
    .selectFrom('payment_links')
    .select('id')
    .where('id', 'in', [...ids])
    .where('fetched_at', '<', at)
  return (await known.limit(1).executeTakeFirst()) !== undefined
}

export type SoldPrice = {
  id: string
  plan_name: string
  currency: string
  is_offered: boolean
  /** The object as the provider sent it, with its tiers. */
  raw: Fields
}

const prices = `select r.id, coalesce(nullif(p.name, ''), r.nickname, r.id) as plan_name, r.currency, ${isOffered} as is_offered, r.raw
  from prices r left join products p on p.id = r.product_id`

export async function findPrice(db: Kysely<DB>, id: string): Promise<SoldPrice | undefined> {
  const { rows } = await sql<SoldPrice>`${sql.raw(prices)} where r.id = ${id}`.execute(db)
  return rows[0]
}

const mostPrices = 50

/** Those that a link can sell, the account's own currency first. */
export async function findPrices(db: Kysely<DB>, search: string | undefined): Promise<SoldPrice[]> {
  const pattern = `%${escapePattern(search ?? '')}%`
  const { rows } = await sql<SoldPrice>`${sql.raw(prices)}
    where ${sql.raw(isOffered)} and r.usage_type is distinct from 'metered'
      and coalesce(jsonb_typeof(r.raw -> 'custom_unit_amount'), 'null') = 'null'
      and (p.name ilike ${pattern} or r.nickname ilike ${pattern} or r.id ilike ${pattern})
    order by r.currency <> default_currency(), p.name, r.currency, r.type, r.unit_amount, r.id limit ${mostPrices}`.execute(
    db,
  )
  return rows
}

/** What was begun about a link and is not settled. */
export const findOpenSwitch = (tx: Transaction<DB>, id: string): Promise<ActionRow | undefined> =>
  tx
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', id)
    .where('kind', '=', 'payment_link_switch')
    .where('state', 'in', ['started', 'unknown'])
    .executeTakeFirst()
