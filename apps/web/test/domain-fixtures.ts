import type * as domains from '@agency/contract/descriptors/domains'
import type { Domain, DomainDetails } from '@agency/contract/types'
import type { ResponseOf } from '../src/lib/api.ts'

const read = '2026-11-21T10:00:00Z'

/** Rows as the server answers them. Each test says what matters to it and leaves the rest. */
export function aDomain(part: Partial<Domain> = {}): Domain {
  return {
    id: 'zone_1',
    name: 'harbour.example',
    status: 'active',
    created_on: '2025-03-01T09:00:00Z',
    modified_on: '2026-10-01T09:00:00Z',
    paused: false,
    type: 'full',
    plan: {
      id: 'pro',
      name: 'Pro Website',
      price: 20,
      currency: 'USD',
      frequency: 'monthly',
      is_subscribed: true,
      can_subscribe: true,
    },
    account: { id: 'acc', name: 'Agency' },
    name_server_state: 'expected',
    url: 'https://harbour.example',
    ssl: { value: 'strict', checked_at: read, problem: null },
    dnssec: { value: 'active', checked_at: read, problem: null },
    site: { id: 'site_1', site_name: 'Harbour Bakery', status: 'active' },
    customer: { id: 'cus_1', name: 'Ada Lovelace' },
    dashboard_url: 'https://dash.cloudflare.com/acc/harbour.example',
    ...part,
  }
}

export const domainDetails = (part: Partial<DomainDetails> = {}): DomainDetails => ({
  ...aDomain(),
  name_servers: ['ada.ns.cloudflare.com'],
  original_name_servers: ['ns1.registrar.example'],
  fetched_at: read,
  ...part,
})

type List = ResponseOf<typeof domains.listDomains>

export function domainList(rows: Domain[], part: Partial<List> = {}): List {
  return {
    totalDomains: rows.length,
    activeDomains: rows.length,
    pausedDomains: 0,
    domains: rows,
    has_more: false,
    total: rows.length,
    fetched_at: read,
    stale: false,
    refreshing: false,
    problem: null,
    quota: {
      window_seconds: 300,
      rest: { used: 31, limit: 600, blocked_until: null },
      graphql: { used: 4, limit: 300, blocked_until: null },
    },
    dashboard_url: 'https://dash.cloudflare.com/acc',
    ...part,
  }
}
