import type { Site, SiteDetails, SiteSettings } from '@agency/contract/types'

/** Rows as the server answers them. Each test says what matters to it and leaves the rest. */
export function aSite(part: Partial<Site> = {}): Site {
  return {
    id: 'site_1',
    site_name: 'Harbour Bakery',
    domain: 'harbour.example',
    subdomain: null,
    customer_id: 'cus_1',
    customer_name: 'Ada Lovelace',
    status: 'active',
    status_reason: null,
    status_until: null,
    at_provider: 'served',
    health_status: 'healthy',
    health_checked_at: '2026-11-21T10:00:00Z',
    health_detail: 'HTTP 200',
    response_ms: 340,
    ssl_status: 'active',
    ssl_expires_at: '2027-02-01T00:00:00Z',
    ssl_issuer: 'Example CA',
    ssl_checked_at: '2026-11-21T10:00:00Z',
    performance_score: 93,
    scored_at: '2026-11-21T10:00:00Z',
    deployment_url: 'https://harbour.example',
    last_deployment: '2026-11-20T10:00:00Z',
    template_type: 'shop',
    storage_used: 1280,
    storage_used_at: '2026-11-20T10:00:00Z',
    bandwidth_used: 12.5,
    bandwidth_used_at: '2026-11-21T09:00:00Z',
    provider: 'pages',
    version: 3,
    created_at: '2026-03-02T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    ...part,
  }
}

/** A site of which nothing was measured yet. */
export const unmeasured = {
  health_status: 'unknown',
  health_checked_at: null,
  health_detail: null,
  response_ms: null,
  ssl_status: 'pending',
  ssl_expires_at: null,
  ssl_issuer: null,
  ssl_checked_at: null,
  performance_score: null,
  scored_at: null,
  storage_used: null,
  storage_used_at: null,
  bandwidth_used: null,
  bandwidth_used_at: null,
  last_deployment: null,
} as const satisfies Partial<Site>

export const someSettings = (part: Partial<SiteSettings> = {}): SiteSettings => ({
  version: 3,
  provider: 'pages',
  pages: { project: 'harbour', branch: null },
  hook: null,
  health_path: '/',
  ...part,
})

export function siteDetails(part: Partial<SiteDetails> = {}): SiteDetails {
  return {
    ...aSite(),
    owner: { id: 'cus_1', name: 'Ada Lovelace', email: 'ada@example.com' },
    settings: someSettings(),
    suspension: null,
    status_changes: [
      {
        id: 'change_1',
        at: '2026-11-20T10:00:00Z',
        from_status: 'deploying',
        to_status: 'active',
        cause: 'deployment',
        reason: null,
        until: null,
        actor_type: 'user',
        actor_name: 'Bob',
      },
    ],
    next_statuses: ['pending', 'maintenance'],
    can: { suspend: null, resume: 'Not suspended', delete: null, deploy: null },
    ...part,
  }
}
