import type { SitePerformance } from '@agency/contract/types'

/** What was measured of a site that is well; a test says what is different. */
export const aPerformance = (more: Partial<SitePerformance> = {}): SitePerformance => {
  const now = Date.now()
  const at = new Date(now - 30_000).toISOString()
  const since = new Date(Math.floor(now / 900_000) * 900_000 - 86_400_000).toISOString()
  return {
    site_id: 'site_1',
    range: '24h',
    since,
    until: new Date(now).toISOString(),
    bucket_seconds: 900,
    interval_seconds: 60,
    health: { status: 'healthy', detail: 'Answered with status 200', checked_at: at },
    is_stale: false,
    response_ms: 84,
    score: 97,
    scored_at: at,
    uptime: { percent: 99.954, known_seconds: 86_000, down_seconds: 40, unknown_seconds: 400, maintenance_seconds: 0 },
    series: [{ at: since, probes: 15, failures: 1, response_ms: 84, ttfb_ms: 31, score: 97 }],
    deployments: [],
    incidents: [],
    last: {
      at,
      outcome: 'ok',
      detail: 'Answered with status 200',
      url: 'https://harbour.example/',
      redirects: 0,
      status_code: 200,
      bytes: 2412,
      dns_ms: 2,
      connect_ms: 11,
      tls_ms: 23,
      ttfb_ms: 31,
      download_ms: 4,
      total_ms: 84,
    },
    certificate: {
      seen_at: at,
      subject: 'harbour.example',
      issuer: 'Sandbox Trust Services',
      names: ['harbour.example', 'www.harbour.example'],
      valid_from: new Date(now - 30 * 86_400_000).toISOString(),
      valid_to: new Date(now + 60.5 * 86_400_000).toISOString(),
      days_left: 60,
      is_trusted: true,
      problem: null,
    },
    ...more,
  }
}
