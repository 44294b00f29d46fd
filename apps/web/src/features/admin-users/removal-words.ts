import type * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'

export type Removal = ResponseOf<typeof adminUsers.previewUserRemoval>

export function sessionsText({ live_sessions: count }: Removal): string {
  if (count === 0) return 'Not signed in right now.'
  return count === 1 ? 'One open session ends at once.' : `${formatCount(count)} open sessions end at once.`
}

export function keysText({ api_keys: keys }: Removal): string | undefined {
  if (keys.length === 0) return undefined
  const names = keys
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
  const more = keys.length > 3 ? ` and ${formatCount(keys.length - 3)} more` : ''
  return keys.length === 1
    ? `The API key ${names} stops working.`
    : `${formatCount(keys.length)} API keys stop working: ${names}${more}.`
}
