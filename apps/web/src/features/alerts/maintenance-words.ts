import type { MaintenanceWindow } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

export const stateChips: Record<MaintenanceWindow['state'], { label: string; tone: Tone }> = {
  running: { label: 'Running', tone: 'info' },
  planned: { label: 'Planned', tone: 'neutral' },
  over: { label: 'Over', tone: 'success' },
}

/** `All sites`, `Harbour Bakery`, `12 sites` */
export function reachText({ sites: [first, ...others] }: Pick<MaintenanceWindow, 'sites'>): string {
  if (!first) return 'All sites'
  return others.length === 0 ? first.site_name : `${formatCount(others.length + 1)} sites`
}

/** What the window does while it runs. */
export function effectsOf({ silences, excludes_uptime }: MaintenanceWindow): string[] {
  return [silences ? 'Notices silenced' : '', excludes_uptime ? 'Excluded from uptime' : ''].filter(Boolean)
}
