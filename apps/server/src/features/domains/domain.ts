import type { Domain, DomainDetails, DomainSetting } from '@agency/contract/types'
import type { Mode } from '../../config.ts'
import type { DomainRow } from './queries/domains.ts'

type NameServers = Domain['name_server_state']

/** Cloudflare itself watches whether a zone's name servers are those it gave out, and says so by the zone's status. */
function nameServerState({ status, type }: Pick<DomainRow, 'status' | 'type'>): NameServers {
  if (type === 'partial' || type === 'internal') return 'not_needed'
  if (status === 'active') return 'expected'
  if (status === 'moved') return 'other'
  return status === 'pending' || status === 'initializing' ? 'waiting' : 'unknown'
}

const setting = (value: string | null, checked_at: string | null, problem: string | null): DomainSetting => ({
  value,
  checked_at,
  problem,
})

const dashboard = 'https://dash.cloudflare.com'

/** Cloudflare's dashboard: of an account, or of a domain in it. */
export function dashboardUrl(account: string | null | undefined, domain?: string): string {
  if (!account) return dashboard
  return [dashboard, account, ...(domain === undefined ? [] : [domain])]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
}

/** A name that is no host name is no address. Demo domains are served on this machine. */
function urlOf({ name, site }: DomainRow, mode: Mode): string | null {
  if (mode === 'demo' && site?.url) return site.url
  const url = URL.parse(`https://${name}`)
  return url?.hostname === name ? url.origin : null
}

export function toDomain(row: DomainRow, mode: Mode): Domain {
  const { plan, account, site } = row
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    created_on: row.created_on,
    modified_on: row.modified_on,
    paused: row.paused,
    type: row.type,
    plan: plan && {
      id: plan.id || null,
      name: plan.name || null,
      price: plan.price ?? null,
      currency: plan.currency || null,
      frequency: plan.frequency || null,
      is_subscribed: plan.is_subscribed ?? null,
      can_subscribe: plan.can_subscribe ?? null,
    },
    account: account && { id: account.id ?? null, name: account.name ?? null },
    name_server_state: nameServerState(row),
    ssl: setting(row.ssl_value, row.ssl_checked_at, row.ssl_problem),
    dnssec: setting(row.dnssec_value, row.dnssec_checked_at, row.dnssec_problem),
    site: site && { id: site.id, site_name: site.site_name, status: site.status },
    customer: row.customer,
    url: urlOf(row, mode),
    dashboard_url: dashboardUrl(row.account?.id, row.name),
  }
}

export function toDomainDetails(row: DomainRow, mode: Mode, fetchedAt: string): DomainDetails {
  return {
    ...toDomain(row, mode),
    name_servers: row.name_servers,
    original_name_servers: row.original_name_servers,
    fetched_at: fetchedAt,
  }
}
