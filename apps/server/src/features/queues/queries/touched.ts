import type { TouchedThing } from '@agency/contract/queues'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

export type Ref = Pick<TouchedThing, 'kind' | 'id'>

type Source = { name: string; from: string; customer?: string }
const own = (name: string, table: string, customer?: string): Source => ({
  ...{ name, from: `${table} t on t.id = r.id` },
  ...(customer !== undefined && { customer }),
})
const amount = `t.kind || coalesce(' of ' || t.target_id, '')`

/** Where the name of each kind stands, and whose it is. */
const sources: { [Kind in TouchedThing['kind']]?: Source } = {
  customer: own(`coalesce(nullif(t.name, ''), t.email, t.id)`, 'customers', 't.id'),
  site: own('t.site_name', 'sites', 't.customer_id'),
  subscription: own('t.id', 'subscriptions', 't.customer_id'),
  payment: own('t.id', 'payments', 't.customer_id'),
  invoice: own('coalesce(t.number, t.id)', 'invoices', 't.customer_id'),
  refund: own('t.id', 'refunds', 't.customer_id'),
  dispute: own('t.id', 'disputes', 't.customer_id'),
  charge: own('t.id', 'charges', 't.customer_id'),
  mail: own('t.subject', 'mails'),
  export: own('t.title', 'exports'),
  delivery: own(`t.message ->> 'title'`, 'channel_deliveries'),
  report_schedule: own('t.report', 'report_schedules', 't.customer_id'),
  money_action: own(amount, 'money_actions'),
}

const text = Object.entries(sources)
  .map(
    ([kind, { name, from, customer }]) => `select r.kind, r.id, ${name} as name, c.id as customer_id,
      coalesce(nullif(c.name, ''), c.email, c.id) as customer_name
    from asked r join ${from} left join customers c on c.id = ${customer ?? 'null'} where r.kind = '${kind}'`,
  )
  .join(' union all ')
const whole = `with asked as materialized (select distinct a.kind, a.id from unnest($1::text[], $2::text[]) as a (kind, id)) ${text}`

type Row = Ref & { name: string | null; customer_id: string | null; customer_name: string | null }

/** What is known of things that jobs name. */
export async function findNames(pool: Pool, refs: readonly Ref[]): Promise<Map<string, TouchedThing>> {
  if (refs.length === 0) return new Map()
  const values = [refs.map(({ kind }) => kind), refs.map(({ id }) => id)]
  const rows = await runStatement<Row>(pool, { text: whole, values, prepare: true })
  return new Map(
    rows.map(({ kind, id, name, customer_id, customer_name }) => [
      `${kind} ${id}`,
      {
        ...{ kind, id, name },
        customer: customer_id === null || customer_name === null ? null : { id: customer_id, name: customer_name },
      },
    ]),
  )
}
