import type { IncidentSeverity } from '@agency/contract/monitoring'
import type { AlertRow } from '../alerts/index.ts'

/** A quarter of all sites. */
const sev1Share = 0.25

/** The incident that an alert opens by itself; null: it opens none. */
export function severityOf(
  { rule, subject_id }: Pick<AlertRow, 'rule' | 'subject_id'>,
  { affected, all }: { affected: number; all: number },
): IncidentSeverity | null {
  switch (rule) {
    case 'sites.common_cause':
      return all > 0 && affected >= all * sev1Share ? 'sev1' : 'sev2'
    case 'service.unhealthy':
      return subject_id === 'database' ? 'sev1' : 'sev2'
    case 'console.way_out':
      return 'sev2'
    case 'site.down':
      return 'sev3'
    case 'site.degraded':
    case 'site.certificate_invalid':
      return 'sev4'
    default:
      return null
  }
}

const rank: Record<IncidentSeverity, number> = { sev1: 1, sev2: 2, sev3: 3, sev4: 4 }

export const isWorse = (a: IncidentSeverity, b: IncidentSeverity): boolean => rank[a] < rank[b]
