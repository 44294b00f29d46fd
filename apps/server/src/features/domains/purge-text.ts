import type { domains } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import { counted } from '../../platform/counted.ts'

/** What was purged, as people read it. */
export function purgeText(what: BodyOf<typeof domains.purgeCache>): string {
  if ('everything' in what) return 'everything'
  return 'files' in what ? counted(what.files.length, 'URL') : counted(what.hosts.length, 'hostname')
}
