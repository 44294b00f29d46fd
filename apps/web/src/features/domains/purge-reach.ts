import type * as domains from '@agency/contract/descriptors/domains'
import type { ResponseOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format-time.ts'

/** Which site a purge reaches, and when the last one was. */
export function purgeReach({ site, customer, last }: ResponseOf<typeof domains.previewPurge>): string[] {
  const affected = site
    ? `Affects ${site.site_name}${customer?.name ? ` (${customer.name})` : ''}`
    : 'No sites affected'
  return last ? [affected, `Last purged ${formatDateTime(last.at)} by ${last.by}: ${last.what}`] : [affected]
}
