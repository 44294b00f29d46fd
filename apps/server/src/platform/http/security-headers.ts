import type { Config } from '../../config.ts'

const cspReport = '/csp-report'

/** What every answer carries, whatever it is. */
export function commonHeaders(config: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    ...(config.publicUrl?.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

/** Answers that may be asked again with their tag lie on the browser's disk; with the session, they go. */
export const clearCache = { 'clear-site-data': '"cache"' }

/** What the page may do: run and show what this console serves, and nothing from elsewhere. `scripts` are the hashes of its own. */
export function pageHeaders(nonce: string, scripts: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map((hash) => `'${hash}'`)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${cspReport}`,
    'report-to csp',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'reporting-endpoints': `csp="${cspReport}"`,
    'cache-control': 'no-store',
  }
}
