import type { CheckSettings } from '@agency/contract/checks'

export const usualSettings: CheckSettings = {
  path: null,
  method: 'GET',
  interval_seconds: 60,
  timeout_seconds: 10,
  retries: 0,
  failures: 2,
  of: 2,
  statuses: null,
  keyword: null,
  json: null,
  header: null,
  redirect: { mode: 'follow' },
  dns: null,
  certificate_days: 14,
}

/** What was kept, laid over what is usual: settings that came later are the usual ones. */
export const settingsOf = (kept: Partial<CheckSettings> | null): CheckSettings => ({ ...usualSettings, ...kept })

const slackS = 10

/** A look is over by then, with its retries and the certificate that it may have to ask for apart. */
export const leaseSecondsOf = ({ timeout_seconds, retries }: CheckSettings): number =>
  timeout_seconds * (retries + 1) + slackS

export const usualLeaseS = leaseSecondsOf(usualSettings)

/** What is left is looked for twice a second: a claim ends so much before its lease, and nothing is late by more than that. */
export const takeOverS = 1

/** For how long a look tells how the site is, when no other follows. */
export const goodForSecondsOf = ({ interval_seconds }: Pick<CheckSettings, 'interval_seconds'>): number =>
  2 * interval_seconds + 30

export type AskedSite = { domain: string; deploymentUrl: string | null; healthPath: string }

/**
 * What is asked: a path on the site, or an address on its own host; without TLS only where the site itself says so, or
 * the address does. null: it would lead to another host.
 */
export function urlOf({ domain, deploymentUrl, healthPath }: AskedSite, path: string | null): string | null {
  const own = deploymentUrl === null ? null : URL.parse(deploymentUrl)
  const base = own?.protocol === 'http:' && own.hostname === domain ? own.origin : `https://${domain}`
  const url = URL.parse(path ?? healthPath, `${base}/`)
  return url?.hostname === domain && url.username === '' && url.password === '' ? url.href : null
}
