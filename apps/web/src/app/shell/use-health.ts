import * as health from '@agency/contract/descriptors/health'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { ApiError } from '../../lib/problems.ts'
import { useLive } from '../LiveProvider.tsx'

const pollMs = 15_000

/** The one health snapshot that all chips of the shell read. */
export function useHealth() {
  const { calm } = useLive()
  const query = useQuery({ ...q(health.getHealth, {}), enabled: calm, refetchInterval: pollMs, retry: false })
  const offline = query.error instanceof ApiError && query.error.code === 'unreachable'
  return {
    health: query.data?.health,
    /** Nothing answers: what is known may no longer be so. */
    offlineSince: offline ? query.errorUpdatedAt : undefined,
    failed: query.isError,
  }
}
