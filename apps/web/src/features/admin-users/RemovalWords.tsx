import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { keysText, sessionsText } from './removal-words.ts'

/** What an act ends, as it is now; until it is known, what is certain anyhow. */
export function RemovalWords({ userId, sessionsOnly = false }: { userId: string; sessionsOnly?: boolean }) {
  const preview = useQuery({ ...q(adminUsers.previewUserRemoval, { params: { id: userId } }), staleTime: 0 })
  if (!preview.data) return 'All their sessions end at once.'
  return [sessionsText(preview.data), sessionsOnly ? undefined : keysText(preview.data)].filter(Boolean).join(' ')
}
