import type { PerformanceMetric, ServiceStatus } from '@agency/contract/types'
import { formatPercent } from '../../lib/format.ts'
import type { ApiError } from '../../lib/problems.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const serviceChips: Record<ServiceStatus, Chip> = {
  healthy: { label: 'Healthy', tone: 'success' },
  degraded: { label: 'Degraded', tone: 'warning' },
  unhealthy: { label: 'Unhealthy', tone: 'error' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

/** How uptime is counted, said once on each screen that shows it. */
export const accounting = 'Uptime = 1 − confirmed downtime ÷ (total − maintenance − unknown)'

export function monitoringFailure({ status, statusText }: Pick<ApiError, 'status' | 'statusText'>): string {
  return status >= 400 ? `HTTP ${status}: ${statusText}` : 'Failed to fetch monitoring data'
}

const arrows: Record<PerformanceMetric['trend'], string> = { up: '↑', down: '↓', stable: '→' }

/** How a figure moved; null where there is nothing to compare with. */
export function trendOf({ change, trend }: Pick<PerformanceMetric, 'change' | 'trend'>) {
  if (change === null) return null
  const sign = change > 0 ? '+' : change < 0 ? '−' : ''
  return { arrow: arrows[trend], words: trend === 'stable' ? 'stable' : `${sign}${formatPercent(Math.abs(change))}` }
}

const dayMs = 86_400_000
const soonDays = 14

/** What is left of a certificate; null where none was seen. */
export function certificateChip(expiresAt: string | null, now: number): Chip | null {
  if (expiresAt === null) return null
  const days = Math.floor((Date.parse(expiresAt) - now) / dayMs)
  if (days < 0) return { label: 'Expired', tone: 'error' }
  return { label: days === 1 ? '1 day left' : `${days} days left`, tone: days < soonDays ? 'warning' : 'success' }
}
