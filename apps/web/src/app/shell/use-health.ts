import { health, type PartStatus, type SystemHealth } from '@agency/contract/descriptors'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { ApiError } from '../../lib/problems.ts'
import type { Tone } from '../../theme/palette.ts'
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

export const overallLabels: Record<SystemHealth['overall'], { label: string; tone: Tone }> = {
  healthy: { label: 'Healthy', tone: 'success' },
  degraded: { label: 'Degraded', tone: 'warning' },
  down: { label: 'Down', tone: 'error' },
}

export const partLabels: Record<PartStatus, { label: string; tone: Tone }> = {
  healthy: { label: 'Healthy', tone: 'success' },
  warning: { label: 'Warning', tone: 'warning' },
  error: { label: 'Error', tone: 'error' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

export const parts = [
  ['database', 'Database'],
  ['cache', 'Cache'],
  ['storage', 'Storage'],
  ['network', 'Network'],
  ['stripe', 'Stripe'],
  ['jobs', 'Jobs'],
] as const
