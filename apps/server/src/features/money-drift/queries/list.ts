import type { moneyDrift } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { MoneyDrift } from '@agency/contract/money-drift'
import type { Money } from '@agency/contract/primitives'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'

export type DriftQuery = QueryOf<typeof moneyDrift.listMoneyDrift>
export type Shown = { seesMoney: boolean; now: Date }

/** One of other facts, or one that is over, is none. */
const dismissals = (now: string) =>
  `left join money_drift_dismissals m on m.drift_id = d.id and m.facts = d.facts and m.until > ${now}::timestamptz`

const columns = (seesMoney: boolean) => `d.id, d.class, d.variant, d.subject_name as subject, d.domain, d.site_id,
  case when d.customer_id is not null then json_build_object('id', d.customer_id, 'name', d.customer_name) end as customer,
  d.subscription_id, iso_utc(d.since) as since, ${seesMoney ? 'd.money' : 'null::jsonb'} as money, d.evidence, d.repairs,
  case when m.drift_id is not null then json_build_object('reason', m.reason, 'until', iso_utc(m.until),
    'at', iso_utc(m.dismissed_at), 'by', m.dismissed_by) end as dismissal`

const isDismissed = (now: string) => `exists (
  select from money_drift_dismissals x where x.drift_id = d.id and x.facts = d.facts and x.until > ${now}::timestamptz
)`

export async function findDrift(pool: Pool, query: DriftQuery, { seesMoney, now }: Shown): Promise<string> {
  const values = new Values()
  const at = values.add(now)
  const where = ['true']
  if (query.status !== 'all') where.push(query.status === 'open' ? `not ${isDismissed(at)}` : isDismissed(at))
  if (query.class?.length) where.push(`d.class in (${query.class.map(literal).join(', ')})`)
  const term = searchTerm(values, query.search)
  if (term) where.push(`d.doc like ${term.pattern}`)
  const list: List = {
    table: 'money_drift',
    alias: 'd',
    order: {
      from: 'money_drift d',
      // For whoever may not see money the order must not tell it.
      key: query.sort.endsWith('money') && seesMoney ? 'd.money_order' : 'd.since',
      id: 'd.id',
      isWhole: true,
    },
    isDescending: query.sort.startsWith('-'),
    where,
    columns: columns(seesMoney),
    joins: dismissals(at),
    total: `(select count(*) from money_drift d where ${where.join(' and ')})`,
    values,
    isPrepared: false,
  }
  return readPage(pool, 'drift', list, query)
}

export async function findOne(pool: Pool, id: string, { seesMoney, now }: Shown): Promise<MoneyDrift | undefined> {
  const text = `select ${columns(seesMoney)} from money_drift d ${dismissals('$2')} where d.id = $1`
  const [row] = await runStatement<MoneyDrift>(pool, { text, values: [id, now] })
  return row
}

export type Summary = {
  counts: Record<string, number>
  money: Money[]
  compared_at: string | null
  problem: string | null
  unjudged: { class: string; reason: string }[]
}

const summaryText = `with open as (select d.* from money_drift d where not ${isDismissed('$1')})
  select (
    select json_build_object('open', count(*), 'unpaid', count(*) filter (where class = 'unpaid'),
      'undelivered', count(*) filter (where class = 'undelivered'), 'ended', count(*) filter (where class = 'ended'),
      'zone', count(*) filter (where class = 'zone'), 'domain', count(*) filter (where class = 'domain'),
      'dismissed', (select count(*) from money_drift d where ${isDismissed('$1')}))
    from open
  ) as counts,
  (
    select coalesce(json_agg(json_build_object('currency', t.currency, 'amount', t.amount) order by t.amount desc, t.currency), '[]')
    from (
      select c.currency, sum(c.amount)::bigint as amount from (
        select coalesce(o.customer_id, o.id), m.currency, max(m.amount) as amount
        from open o, jsonb_to_recordset(o.money) as m (currency text, amount bigint) group by 1, 2
      ) c group by c.currency
    ) t
  ) as money,
  iso_utc(l.looked_at) as compared_at, l.failure as problem, l.unjudged
  from money_drift_looks l`

export async function findSummary(pool: Pool, now: Date): Promise<Summary> {
  const [summary] = await runStatement<Summary>(pool, { text: summaryText, values: [now], prepare: true })
  if (!summary) throw new Error('The row of the looks is always there')
  return summary
}
