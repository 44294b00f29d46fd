import type { Plan } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { jsonList } from './columns.ts'

type PlanPrice = Plan['prices'][number]

export type PlanRecord = Omit<Plan, 'prices'> & {
  prices: Omit<PlanPrice, 'monthly_price' | 'yearly_price' | 'derived'>[]
}

type PlanList = { currency: string; as_of: string | null; plans: PlanRecord[] }

const text = `select json_build_object('currency', default_currency(), 'as_of', mirror_as_of(), 'plans', coalesce((
  select json_agg(plan order by plan.active desc, plan.live_count desc, plan.name, plan.id) from (
    select p.id, p.name, p.description, p.tier, p.active and p.deleted_at is null as active,
      ${jsonList(
        `r.id, r.currency, r.interval, r.interval_count, r.unit_amount as amount,
          r.billing_scheme, coalesce(r.usage_type, 'unknown') as usage_type, r.active`,
        `prices r where r.product_id = p.id and r.type = 'recurring' and r.deleted_at is null
          order by r.active desc, r.currency <> default_currency(), r.currency, r.unit_amount, r.id`,
      )} as prices,
      coalesce(sum(t.subscriptions) filter (where t.status = 'active'), 0) as active_count,
      coalesce(sum(t.subscriptions) filter (where t.status in ('active', 'trialing', 'past_due')), 0) as live_count,
      ${jsonList(
        'currency, round_half_even(sum(mrr)) as mrr, sum(revenue) as revenue',
        `subscription_totals where product_id = p.id group by currency
          having sum(mrr) <> 0 or sum(revenue) <> 0 order by currency <> default_currency(), currency`,
      )} as by_currency
    from products p left join subscription_totals t on t.product_id = p.id
    group by p.id
    having exists (select from prices where product_id = p.id and type = 'recurring' and deleted_at is null)
      and (p.deleted_at is null or coalesce(sum(t.subscriptions), 0) > 0)
  ) plan
), '[]'))::text as record`

/** Products that are sold by subscription, those in use first. */
export async function findPlans(pool: Pool): Promise<PlanList> {
  const [row] = await runStatement<{ record: string }>(pool, { text, values: [] })
  return JSON.parse(row?.record ?? '') as PlanList
}
