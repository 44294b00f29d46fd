import type { ScoreTerm } from '@agency/contract/types'
import { formatNumber } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

/** As a site's own score is coloured. */
export function scoreTone(score: number): Tone {
  if (score >= 80) return 'success'
  return score >= 50 ? 'warning' : 'error'
}

/** The term that costs the most; undefined where nothing is lost. */
export const costliest = (terms: readonly ScoreTerm[]): ScoreTerm | undefined =>
  terms.filter(({ lost }) => (lost ?? 0) > 0).sort((left, right) => (right.lost ?? 0) - (left.lost ?? 0))[0]

export const pointsText = (points: number): string => `${formatNumber(points, 1)} ${points === 1 ? 'point' : 'points'}`
