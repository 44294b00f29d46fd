import type { PartStatus, SystemHealth } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const overallLabels: Record<SystemHealth['overall'], Chip> = {
  healthy: { label: 'Healthy', tone: 'success' },
  degraded: { label: 'Degraded', tone: 'warning' },
  down: { label: 'Down', tone: 'error' },
}

export const partLabels: Record<PartStatus, Chip> = {
  healthy: { label: 'Healthy', tone: 'success' },
  warning: { label: 'Warning', tone: 'warning' },
  error: { label: 'Error', tone: 'error' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

/** The parts of the console's health in the order in which they are listed everywhere. */
export const healthParts = [
  ['database', 'Database'],
  ['cache', 'Cache'],
  ['storage', 'Storage'],
  ['network', 'Network'],
  ['stripe', 'Stripe'],
  ['cloudflare', 'Cloudflare'],
  ['jobs', 'Jobs'],
] as const
