import type { ChurnedCustomer, Renewal } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { defineExport, type ParametersOf } from '../../../platform/export-kind.ts'
import { churnedOf, renewalsOf } from '../service/get-customers.ts'
import { causeNames } from './customers-export.ts'
import { subtitleOf } from './subtitle.ts'

const batch = 1000

async function* readChurned(
  ctx: RequestContext,
  range: ParametersOf<'report_churned'>,
): AsyncGenerator<readonly ChurnedCustomer[]> {
  for (let offset = 0; ; offset += batch) {
    const { churned, has_more } = await churnedOf(ctx, { ...range, limit: batch, offset })
    yield churned
    if (!has_more) return
  }
}

export const churnedExport = defineExport<'report_churned', ChurnedCustomer>({
  kind: 'report_churned',
  permission: 'customers.read',
  title: 'Customers who left',
  fileName: 'customers-who-left',
  columns: [
    { title: 'Customer', name: 'customer', type: 'text', width: 1.4, value: ({ customer }) => customer },
    { title: 'Likely cause', name: 'cause', type: 'text', value: ({ cause }) => causeNames[cause] },
    { title: 'Evidence', name: 'evidence', type: 'text', width: 2, value: ({ evidence }) => evidence },
    { title: 'Left', name: 'at', type: 'instant', value: ({ at }) => at },
    { title: 'MRR lost', name: 'mrr', type: 'money', value: ({ mrr, currency }) => ({ amount: mrr, currency }) },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: ({ customer_id }) => customer_id },
  ],
  rows: readChurned,
  subtitle: subtitleOf,
})

/** All that renew in the time, however many: the most at risk first. */
const most = 1_000_000

async function* readRenewals(
  ctx: RequestContext,
  chosen: ParametersOf<'report_renewals'>,
): AsyncGenerator<readonly Renewal[]> {
  yield (await renewalsOf(ctx, { ...chosen, limit: most })).renewals
}

export const renewalsExport = defineExport<'report_renewals', Renewal>({
  kind: 'report_renewals',
  permission: 'billing.read',
  title: 'Renewal radar',
  fileName: 'renewal-radar',
  columns: [
    { title: 'Customer', name: 'customer', type: 'text', width: 1.4, value: ({ customer }) => customer },
    { title: 'Plan', name: 'plan_name', type: 'text', value: ({ plan_name }) => plan_name },
    { title: 'Renews', name: 'renews_at', type: 'instant', value: ({ renews_at }) => renews_at },
    { title: 'MRR', name: 'mrr', type: 'money', value: ({ mrr, currency }) => ({ amount: mrr, currency }) },
    {
      ...{ title: 'At risk', name: 'mrr_at_risk', type: 'money' },
      value: ({ mrr_at_risk, currency }) => ({ amount: mrr_at_risk, currency }),
    },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    {
      ...{ title: 'Risks', name: 'risks', type: 'text', width: 2 },
      value: ({ risks }) => risks.map(({ text }) => text).join('; ') || null,
    },
    {
      title: 'Card expires',
      name: 'card_expires',
      type: 'text',
      width: 0.6,
      value: ({ card_expires }) => card_expires,
    },
    { title: 'Domain', name: 'domain', type: 'text', value: ({ domain }) => domain },
    {
      ...{ title: 'Domain expires', name: 'domain_expires_at', type: 'date' },
      value: ({ domain_expires_at }) => domain_expires_at?.slice(0, 10) ?? null,
    },
    {
      ...{ title: 'Uptime (%)', name: 'uptime_percent', type: 'number', width: 0.6 },
      value: ({ uptime_percent }) => uptime_percent,
    },
    {
      ...{ title: 'Traffic (%)', name: 'traffic_percent', type: 'number', width: 0.6 },
      value: ({ traffic_percent }) => traffic_percent,
    },
    { title: 'Subscription ID', name: 'id', type: 'text', width: 0, value: ({ subscription_id }) => subscription_id },
  ],
  rows: readRenewals,
  subtitle: (_ctx, { days }) => `The next ${days} days`,
})
