import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { moments, rowsOf, wholeTotals } from './straddled.ts'

export type SettlementSum = {
  part: number
  currency: string
  charges: number
  refunds: number
  disputes: number
  other: number
  fees: number
  net: number
  converted: number
}

const text = `with ${moments},
  moved (part, currency, line, amount, fee, net, converted) as (
    ${wholeTotals('balance', ['currency', 'part'], { amount: 'amount', fee: 'fee', net: 'net', converted: 'converted' }, 1)}
    union all
    ${rowsOf('balance_transactions', 'created_at', 'r.currency, r.part, r.amount, r.fee, r.net, (r.exchange_rate is not null)::int', 'r.deleted_at is null')}
  )
  select part, currency,
    coalesce(sum(amount) filter (where line = 'charges'), 0)::bigint as charges,
    coalesce(-sum(amount) filter (where line = 'refunds'), 0)::bigint as refunds,
    coalesce(-sum(amount) filter (where line = 'disputes'), 0)::bigint as disputes,
    coalesce(sum(amount) filter (where line = 'other'), 0)::bigint as other,
    (sum(fee) - coalesce(sum(amount) filter (where line = 'fees'), 0))::bigint as fees,
    sum(net)::bigint as net, sum(converted)::bigint as converted
  from moved
  where line <> 'moved' and part between 1 and (select cardinality(at) - 1 from moments)
  group by part, currency order by currency, part`

/** What Stripe's balance moved by between each two moments, without payouts. */
export const findSettlements = (pool: Pool, at: readonly string[]): Promise<SettlementSum[]> =>
  runStatement<SettlementSum>(pool, { text, values: [at], prepare: true })

/** Whether any were ever brought: with none, fees are unknown and not zero. */
export async function hasTransactions(pool: Pool): Promise<boolean> {
  const rows = await runStatement<{ has: boolean }>(pool, {
    text: 'select exists (select from balance_transactions) as has',
    values: [],
    prepare: true,
  })
  return rows[0]?.has ?? false
}
