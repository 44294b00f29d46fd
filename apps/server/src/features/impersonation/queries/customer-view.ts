import type { ViewedAccount, ViewedSite, ViewedSubscription } from '@agency/contract/types'
import type { Pool } from 'pg'
import { type List, type PageQuery, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { planName, subscriptionJoins } from '../../billing/index.ts'

const accountText = `select c.id, c.name, c.email, c.phone, c.company, c.country, iso_utc(c.created_at) as created_at
  from customers c where c.id = $1 and c.deleted_at is null and c.status <> 'deleted'`

export async function findAccount(pool: Pool, customerId: string): Promise<ViewedAccount | undefined> {
  const [account] = await runStatement<ViewedAccount>(pool, { text: accountText, values: [customerId] })
  return account
}

const subscriptionsText = `select coalesce(json_agg(own), '[]') as subscriptions, mirror_as_of() as as_of from (select s.id, ${planName} as plan_name, s.more_items, s.status, s.amount, s.currency,
    s.billing_period, s.interval, s.interval_count, iso_utc(s.current_period_end) as current_period_end,
    iso_utc(s.created_at) as created_at, iso_utc(s.trial_end) as trial_end, iso_utc(s.cancel_at) as cancel_at,
    s.cancel_at_period_end, iso_utc(s.ended_at) as ended_at
  from subscriptions s ${subscriptionJoins}
  where s.customer_id = $1 and s.deleted_at is null
  order by s.created_at desc, s.id desc limit 100) own`

type Subscriptions = { subscriptions: ViewedSubscription[]; as_of: string | null }

export async function findSubscriptions(pool: Pool, customerId: string): Promise<Subscriptions> {
  const [found] = await runStatement<Subscriptions>(pool, { text: subscriptionsText, values: [customerId] })
  return found ?? { subscriptions: [], as_of: null }
}

const sitesText = `select s.id, s.site_name, s.domain, s.status, s.deployment_url,
    iso_utc(s.last_deployment) as last_deployment, iso_utc(s.created_at) as created_at
  from sites s where s.customer_id = $1 and s.deleted_at is null
  order by s.sort_name, s.id limit 100`

export const findSites = (pool: Pool, customerId: string): Promise<ViewedSite[]> =>
  runStatement(pool, { text: sitesText, values: [customerId] })

type Source = Pick<List, 'table' | 'alias' | 'columns'> & { where: string }

/** A page of what is the customer's, newest first, as JSON. */
function findOwn(pool: Pool, { table, alias, columns, where }: Source, customerId: string, page: PageQuery) {
  const values = new Values()
  const own = `${alias}.customer_id = ${values.add(customerId)} and ${alias}.deleted_at is null`
  const list: List = {
    ...{
      table,
      alias,
      columns,
      joins: '',
      total: null,
      asOf: 'mirror_as_of()',
      values,
      isPrepared: true,
      isDescending: true,
    },
    order: { from: `${table} ${alias}`, key: `${alias}.created_at`, id: `${alias}.id`, isWhole: true },
    where: [own, where],
  }
  return readPage(pool, table, list, page)
}

// A draft is not the customer's yet.
const invoices: Source = {
  table: 'invoices',
  alias: 'i',
  columns: `i.id, i.number, i.status, i.amount_due, i.amount_paid, i.amount_remaining, i.currency,
    iso_utc(i.created_at) as created_at, iso_utc(i.due_at) as due_date,
    case when i.invoice_pdf like 'https://%' then i.invoice_pdf end as invoice_pdf`,
  where: `i.status <> 'draft'`,
}

const payments: Source = {
  table: 'payments',
  alias: 'p',
  columns: `p.id, p.amount, p.currency, p.status, p.amount_refunded as refunded_amount, p.payment_method_type,
    p.description, iso_utc(p.created_at) as created_at`,
  where: 'true',
}

export const findInvoices = (pool: Pool, customerId: string, page: PageQuery): Promise<string> =>
  findOwn(pool, invoices, customerId, page)
export const findPayments = (pool: Pool, customerId: string, page: PageQuery): Promise<string> =>
  findOwn(pool, payments, customerId, page)
