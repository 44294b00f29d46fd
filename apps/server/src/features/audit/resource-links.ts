import type { EntryRow } from './queries/columns.ts'

const open = (page: string) => (id: string | null) =>
  id === null ? `/admin/${page}` : `/admin/${page}${page.includes('?') ? '&' : '?'}open=${encodeURIComponent(id)}`
const page = (path: string) => () => `/admin/${path}`

type About = Pick<EntryRow, 'resource_type' | 'resource_id' | 'before' | 'after'>

function customerOf({ before, after }: About): string | null {
  const id = [after, before].map((facts) => (facts as { customer_id?: unknown } | null)?.customer_id)
  return id.find((one) => typeof one === 'string') ?? null
}

/** A note stands among those of its customer. */
function noteLink(_id: string | null, entry: About): string {
  const customer = customerOf(entry)
  return customer === null ? '/admin/customers' : `${open('customers')(customer)}&tab=notes`
}

function analyticsLink(_id: string | null, { after }: About): string {
  const zone = (after as { zone_id?: unknown } | null)?.zone_id
  return typeof zone === 'string' ? `/admin/domains/${encodeURIComponent(zone)}/analytics` : '/admin/domains'
}

/** Into the editor; an address has no room for a long one. */
function queryLink(_id: string | null, { after }: About): string {
  const query = (after as { query?: unknown } | null)?.query
  const isShort = typeof query === 'string' && query.length <= 2000
  return isShort ? `/admin/tools/database?query=${encodeURIComponent(query)}` : '/admin/tools/database'
}

/** Where the console shows what an entry is about. */
const links: Record<string, (id: string | null, entry: About) => string> = {
  customer: open('customers'),
  coupon: open('subscriptions?tab=coupons'),
  promotion_code: page('subscriptions?tab=coupons'),
  payment_link: open('payments?tab=links'),
  backup: page('tools/backup'),
  backup_plan: page('tools/backup'),
  cache: page('tools/cache'),
  job: open('tools/queue'),
  queue: page('tools/queue?tab=queues'),
  export: page('reports?tab=exports'),
  report_schedule: page('reports?tab=schedules'),
  customers: page('customers'),
  customer_note: noteLink,
  deployment: open('deployments'),
  domain_analytics: analyticsLink,
  invoice: page('customers'),
  payment: open('payments'),
  purchase: open('purchases'),
  subscription: open('subscriptions'),
  domain: open('domains'),
  site: open('sites'),
  sites: page('sites'),
  sql_query: queryLink,
  sql_snippet: page('tools/database?side=snippets'),
  user: open('users'),
  role: page('users?tab=roles'),
  api_key: open('api-keys'),
  setting: page('config'),
  mail: page('config?tab=outbox'),
  session: page('security?tab=sessions'),
  admin_key: page('security'),
  address: page('security?tab=attempts'),
  account: page('security?tab=attempts'),
  security: page('security'),
  audit: page('audit'),
  mirror: page('health'),
  webhook_event: page('health'),
}

export const linkOf = (entry: About): string | null => links[entry.resource_type]?.(entry.resource_id, entry) ?? null
