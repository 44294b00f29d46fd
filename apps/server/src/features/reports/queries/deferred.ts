import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

export type DeferredSum = { currency: string; start: number; end: number; added: number }

/**
 * What of a term is not served at a moment: all before it begins, evenly less until it ends, nothing once its subscription
 * ended. Rounded for each term, so that rows add up to the figure.
 */
export const unserved = (at: string): string => `case
    when t.paid_at >= ${at} or t.ends_at <= ${at} or t.stopped_at <= ${at} then 0
    when t.starts_at >= ${at} then t.amount
    else round(t.amount * extract(epoch from t.ends_at - ${at}) / extract(epoch from t.ends_at - t.starts_at))::bigint
  end`

const text = `select currency, sum(${unserved('$1::timestamptz')})::bigint as start, sum(${unserved('$2::timestamptz')})::bigint as "end",
    coalesce(sum(t.amount) filter (where t.paid_at >= $1 and t.paid_at < $2), 0)::bigint as added
  from invoice_terms t where t.paid_at < $2 and t.ends_at > $1
  group by currency order by currency`

export const findDeferred = (pool: Pool, from: string, until: string): Promise<DeferredSum[]> =>
  runStatement<DeferredSum>(pool, { text, values: [from, until], prepare: true })
