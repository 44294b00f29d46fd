import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { moments, rowsOf, wholeTotals } from './straddled.ts'

export type RevenueSum = {
  /** Between moment `part` and the next one, counted from 1. */
  part: number
  currency: string
  gross: number
  refunds: number
  disputes: number
  tax: number
}

const none = '0::bigint'
const row = (gross: string, refunds: string, disputes: string, tax: string): string =>
  `r.currency, ${gross} as gross, ${refunds} as refunds, ${disputes} as disputes, ${tax} as tax`

const paid = "r.deleted_at is null and r.status in ('succeeded', 'refunded')"
const pieces = [
  wholeTotals('revenue', ['currency'], { gross: 'gross', refunds: 'refunded', disputes: 'lost', tax: 'tax' }, 1),
  rowsOf('payments', 'created_at', row('r.amount_captured', 'r.amount_refunded', 'r.amount_lost', none), paid),
  rowsOf('refunds', 'created_at', row(none, 'r.amount', none, none), 'r.taken_off is not null'),
  rowsOf('refunds', 'taken_off', row(none, '-r.amount', none, none)),
  rowsOf('disputes', 'created_at', row(none, none, 'r.amount', none), 'r.taken_off is not null'),
  rowsOf('disputes', 'taken_off', row(none, none, '-r.amount', none)),
  rowsOf(
    'invoices',
    'paid_at',
    row(none, none, none, 'r.tax'),
    "r.status = 'paid' and r.tax <> 0 and r.deleted_at is null",
  ),
]

const text = `with ${moments}
  select part, currency, sum(gross)::bigint as gross, sum(refunds)::bigint as refunds, sum(disputes)::bigint as disputes,
    sum(tax)::bigint as tax
  from (${pieces.join('\n    union all')}) p
  where part between 1 and (select cardinality(at) - 1 from moments)
  group by part, currency order by currency, part`

/** What came in and went back between each two moments. */
export const findRevenue = (pool: Pool, at: readonly string[]): Promise<RevenueSum[]> =>
  runStatement<RevenueSum>(pool, { text, values: [at], prepare: true })
