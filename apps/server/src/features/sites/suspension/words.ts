import type { SiteRow } from '../queries/sites.ts'
import { providerSettingsOf } from '../service/shown.ts'

export const canTakeOffline = ({ provider }: Pick<SiteRow, 'provider'>): boolean => provider === 'pages'

/** Why a suspension does not take the site offline. */
export function whyStillServed(site: Pick<SiteRow, 'provider' | 'provider_settings'>): string {
  if (site.provider !== 'hook')
    return 'No provider is set for it, so it is suspended here only and goes on being served'
  const { host } = providerSettingsOf(site)
  const where = host === undefined ? 'its host' : host
  return `A deploy hook cannot take a site offline: it is suspended here only, and goes on being served (hook at ${where})`
}
