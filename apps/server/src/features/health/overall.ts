import type { HealthPart, PartStatus, SystemHealth } from '@agency/contract/health'

const rank: Record<PartStatus, number> = { unknown: 0, healthy: 0, warning: 1, error: 2 }
const overallOf = ['healthy', 'degraded', 'down'] as const

/** The worst of the parts. What was not measured makes nothing worse. */
export function worstOf(parts: readonly Pick<HealthPart, 'status'>[]): SystemHealth['overall'] {
  return overallOf[Math.max(0, ...parts.map((part) => rank[part.status]))] ?? 'down'
}
