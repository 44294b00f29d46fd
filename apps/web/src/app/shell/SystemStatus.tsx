import { formatExact } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useHealth } from './use-health.ts'

/** The chip at the foot of the navigation: does the console answer, and is all well behind it. */
export function SystemStatus() {
  const { health, offlineSince, failed } = useHealth()
  const { word, tone, since } = stateOf(health, offlineSince, failed)
  return (
    <StatusChip
      tone={tone}
      label={`System Status: ${word}`}
      title={since === undefined ? undefined : `${word} since ${formatExact(since)}`}
    />
  )
}

type Health = ReturnType<typeof useHealth>['health']

function stateOf(health: Health, offlineSince: number | undefined, failed: boolean) {
  const state = (word: string, tone: Tone, since?: string | number) => ({ word, tone, since })
  if (offlineSince !== undefined) return state('Offline', 'error', offlineSince)
  if (failed) return state('Unknown', 'neutral')
  if (!health) return state('Checking', 'neutral')
  return health.overall === 'healthy'
    ? state('Online', 'success', health.since)
    : state('Degraded', 'warning', health.since)
}
