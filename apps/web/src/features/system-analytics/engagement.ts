import type { AnalyzedSite } from '@agency/contract/types'
import { formatNumber } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

/** Events per visitor: above 10 is good, above 5 is fair. */
export function engagementTone(engagement: number): Tone {
  if (engagement > 10) return 'success'
  return engagement > 5 ? 'warning' : 'error'
}

export const engagementText = (engagement: number): string => `${formatNumber(engagement, 1)} per visitor`

/** Why a site has none. */
export const noEngagement = ({ visitors }: Pick<AnalyzedSite, 'visitors'>): string =>
  visitors === null ? 'Visitors unknown' : 'No visitors'
