import type { SiteRow } from '../queries/sites.ts'
import { providerSettingsOf } from '../service/shown.ts'

export const canTakeOffline = ({ provider }: Pick<SiteRow, 'provider'>): boolean => provider === 'pages'

/** Why a suspension does not take the site offline. */
export function whyStillServed(site: Pick<SiteRow, 'provider' | 'provider_settings'>): string {
  if (site.provider !== 'hook') return 'No host is set: suspended here, but still live'
  const { host } = providerSettingsOf(site)
  const where = host === undefined ? 'its host' : host
  return `Deploy hooks cannot take sites offline: suspended here, but still live (hook at ${where})`
}
