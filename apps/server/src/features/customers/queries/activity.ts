import type { Pool } from 'pg'
import { runStatement, Values } from '../../../platform/statements.ts'

export type ActivityRow = {
  /** Tells entries of the same instant apart, and stands in the cursor. */
  key: string
  kind: 'payment' | 'refund' | 'invoice' | 'subscription' | 'action' | 'dispute' | 'note'
  /** What happened to it, where a kind knows several things. */
  event: string
  at: string
  object_id: string | null
  status: string | null
  amount: number | null
  currency: string | null
  actor: string | null
  detail: string | null
}

export type ActivityCursor = { at: string; key: string }

type Source = {
  kind: ActivityRow['kind']
  event: string
  id: string
  at: string
  columns: string
  from: string
  where: string
}

const none = 'null::text'
const money = (alias: string) => `${alias}.amount, ${alias}.currency`

const sources: Source[] = [
  {
    kind: 'payment',
    event: `'created'`,
    id: 'p.id',
    at: 'p.created_at',
    columns: `p.id, p.status, ${money('p')}, ${none}, coalesce(p.failure_message, p.description)`,
    from: 'payments p',
    where: 'p.customer_id = $1 and p.deleted_at is null',
  },
  {
    kind: 'refund',
    event: `'created'`,
    id: 'r.id',
    at: 'r.created_at',
    columns: `r.payment_id, r.status, ${money('r')}, ${none}, coalesce(r.failure_reason, r.reason)`,
    from: 'payments p join refunds r on r.payment_id = p.id',
    where: 'p.customer_id = $1 and p.deleted_at is null and r.deleted_at is null',
  },
  {
    kind: 'dispute',
    event: `'created'`,
    id: 'd.id',
    at: 'd.created_at',
    columns: `d.payment_id, d.status, ${money('d')}, ${none}, d.reason`,
    from: 'payments p join disputes d on d.payment_id = p.id',
    where: 'p.customer_id = $1 and p.deleted_at is null and d.deleted_at is null',
  },
  {
    kind: 'invoice',
    event: `'created'`,
    id: 'i.id',
    at: 'i.created_at',
    columns: `i.id, i.status, i.amount_due, i.currency, ${none}, i.number`,
    from: 'invoices i',
    where: 'i.customer_id = $1 and i.deleted_at is null',
  },
  ...(['created', 'cancelled', 'ended'] as const).map(
    (event): Source => ({
      kind: 'subscription',
      event: `'${event}'`,
      id: `s.id || ':${event}'`,
      at: `s.${event}_at`,
      columns: `s.id, s.status, ${money('s')}, ${none}, coalesce(product.name, s.plan_nickname, s.price_id)`,
      from: 'subscriptions s left join products product on product.id = s.product_id',
      // A cancellation at once is told by the end alone.
      where: `s.customer_id = $1 and s.deleted_at is null and s.${event}_at is not null
        ${event === 'cancelled' ? `and s.cancelled_at is distinct from s.ended_at` : ''}`,
    }),
  ),
  {
    kind: 'action',
    event: 'e.action',
    id: 'e.id::text',
    at: 'e.at',
    columns: `e.resource_id, coalesce(e.after ->> 'state', e.outcome), (e.after ->> 'amount')::bigint,
      e.after ->> 'currency', e.actor_name, e.after ->> 'reason'`,
    from: `(
      select 'customer' as type, $1::text as id
      union all select 'subscription', id from subscriptions where customer_id = $1
      union all select 'payment', id from payments where customer_id = $1 and deleted_at is null
    ) own join audit_entries e on e.resource_type = own.type and e.resource_id = own.id`,
    where: 'true',
  },
]

const notes: Source = {
  kind: 'note',
  event: `'written'`,
  id: 'n.id',
  at: 'n.created_at',
  columns: `${none}, ${none}, null::bigint, ${none}, n.author_name, n.text`,
  from: 'customer_notes n',
  where: 'n.customer_id = $1 and n.deleted_at is null',
}

/** The newest entries before the cursor, from every source as many as may be needed. */
export async function findActivity(
  pool: Pool,
  customerId: string,
  limit: number,
  before: ActivityCursor | undefined,
  withNotes: boolean,
): Promise<ActivityRow[] | undefined> {
  const values = new Values()
  const customer = values.add(customerId)
  const at = before && values.add(before.at)
  const key = before && values.add(before.key)
  const parts = (withNotes ? [...sources, notes] : sources).map((source) => {
    const ownKey = `'${source.kind}:' || ${source.id}`
    const cursor = before
      ? `and ${source.at} <= ${at}::timestamptz and (${source.at}, ${ownKey}) < (${at}::timestamptz, ${key}::text)`
      : ''
    return `(select ${ownKey} as key, '${source.kind}' as kind, ${source.event} as event, ${source.at} as instant,
      ${source.columns} from ${source.from} where ${source.where} ${cursor} order by ${source.at} desc, 1 desc limit ${limit})`
  })
  const text = `select exists (select from customers where id = ${customer}) as found, (
    select coalesce(json_agg(x), '[]')::text from (
      select key, kind, event, iso_utc(instant) as at, object_id, status, amount, currency, actor, detail
      from (${parts.join('\nunion all\n')})
        as entries (key, kind, event, instant, object_id, status, amount, currency, actor, detail)
      order by instant desc, key desc limit ${limit}
    ) x
  ) as entries`
  const [row] = await runStatement<{ found: boolean; entries: string }>(pool, { text, values: values.list })
  return row?.found ? (JSON.parse(row.entries) as ActivityRow[]) : undefined
}
