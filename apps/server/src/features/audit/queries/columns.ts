import type { auditEntry } from '@agency/contract/audit'
import type { z } from 'zod'

type Entry = z.output<typeof auditEntry>

/** An entry as the list and the details read it, over the alias `e`. */
export type EntryRow = {
  id: string
  at: string
  actor_type: Entry['actor_type']
  actor_id: string
  actor_name: string
  action: string
  resource_type: string
  resource_id: string | null
  /** What people call it now; null where it has no name, or none any more. */
  resource_name: string | null
  outcome: Entry['outcome']
  before: unknown
  after: unknown
  address: string | null
  request_id: string | null
}

const customerName = `coalesce(nullif(c.name, ''), c.email)`
const customer = (id: string): string => `(select ${customerName} from customers c where c.id = ${id})`

/** By the kind of resource, one step through its key. */
const names: Record<string, string> = {
  alert: '(select a.title from alerts a where a.id = e.resource_id)',
  channel: '(select n.name from notification_channels n where n.id = e.resource_id)',
  coupon: `(select coalesce(nullif(k.name, ''), k.id) from coupons k where k.id = e.resource_id)`,
  customer: customer('e.resource_id'),
  customer_note: customer(`coalesce(e.after ->> 'customer_id', e.before ->> 'customer_id')`),
  deployment: '(select s.site_name from deployments d join sites s on s.id = d.site_id where d.id = e.resource_id)',
  incident: `(select 'INC-' || i.number || ' ' || i.title from incidents i where i.id = e.resource_id)`,
  invoice: `(select ${customerName} from invoices i join customers c on c.id = i.customer_id where i.id = e.resource_id)`,
  payment: `(select ${customerName} from payments p join customers c on c.id = p.customer_id where p.id = e.resource_id)`,
  payment_link: `(select coalesce(nullif(p.name, ''), k.id) from payment_links k left join products p on p.id = k.items -> 0 ->> 'product'
    where k.id = e.resource_id)`,
  product: `(select nullif(p.name, '') from products p where p.id = e.resource_id)`,
  promotion_code: '(select k.code from promotion_codes k where k.id = e.resource_id)',
  // Of the report that a customer gets; the others are told by what they report.
  report_schedule: customer(`coalesce(e.after ->> 'customer_id', e.before ->> 'customer_id',
    (select r.customer_id from report_schedules r where r.id = e.resource_id))`),
  site: '(select s.site_name from sites s where s.id = e.resource_id)',
  subscription: `(select coalesce(nullif(p.name, ''), s.plan_nickname, s.price_id) || coalesce(' (' || ${customerName} || ')', '')
    from subscriptions s left join products p on p.id = s.product_id left join customers c on c.id = s.customer_id
    where s.id = e.resource_id)`,
}

const columnsNamed = (
  name: string,
): string => `e.id::text as id, iso_utc(e.at) as at, e.actor_type, e.actor_id, e.actor_name, e.action,
  e.resource_type, e.resource_id, ${name} as resource_name,
  e.outcome, e.before, e.after, e.address, e.request_id`

const nameCases = Object.entries(names).map(([kind, name]) => `when '${kind}' then ${name}`)

export const entryColumns = columnsNamed(`case e.resource_type ${nameCases.join(' ')} end`)

/** Of entries of one kind of resource: planning all the names takes longer than reading them. */
export const entryColumnsOf = (kind: string): string => columnsNamed(names[kind] ?? 'null::text')
