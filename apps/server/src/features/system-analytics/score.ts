import type { ScoreTerm, ScoreTermKey } from '@agency/contract/system-analytics'
import { shareBetween } from '../probes/index.ts'

/** What each term is made of; docs/decisions/065. */
export type ScoreParts = {
  /** Share of the known time. */
  downShare: number | null
  /** Mean of the sites' scores. */
  siteScore: number | null
  /** Share of all answers. */
  errorShare: number | null
  health: { healthy: number; known: number }
  certificates: { active: number; checked: number }
  worst: Partial<Record<ScoreTermKey, ScoreTerm['worst']>>
}

type Rule = {
  label: string
  weight: number
  definition: string
  /** 0 to 100. */
  points: (parts: ScoreParts) => number | null
  measured: (parts: ScoreParts) => string
}

const downMarks = { good: 0.0005, poor: 0.05 }
const errorMarks = { good: 0.001, poor: 0.1 }

const percent = (share: number, digits: number): string => `${(100 * share).toFixed(digits)}%`
const between = (share: number | null, marks: { good: number; poor: number }) =>
  share === null ? null : 100 * shareBetween(share, marks)
const ratio = (part: number, whole: number) => (whole === 0 ? null : (100 * part) / whole)

const rules: Record<ScoreTermKey, Rule> = {
  uptime: {
    label: 'Uptime',
    weight: 30,
    definition: 'Uptime of all sites in the range. Full points up to 0.05% down, none from 5%.',
    points: ({ downShare }) => between(downShare, downMarks),
    measured: ({ downShare }) => `${percent(1 - (downShare ?? 0), 3)} up`,
  },
  speed: {
    label: 'Speed',
    weight: 30,
    definition: 'Average performance score of all sites, now.',
    points: ({ siteScore }) => siteScore,
    measured: ({ siteScore }) => `average score ${Math.round(siteScore ?? 0)}`,
  },
  errors: {
    label: 'Server errors',
    weight: 20,
    definition: 'Share of server errors among Cloudflare requests in the range. Full points up to 0.1%, none from 10%.',
    points: ({ errorShare }) => between(errorShare, errorMarks),
    measured: ({ errorShare }) => `${percent(errorShare ?? 0, 2)} of requests`,
  },
  health: {
    label: 'Health now',
    weight: 10,
    definition: 'Share of healthy sites, now.',
    points: ({ health }) => ratio(health.healthy, health.known),
    measured: ({ health }) => `${health.healthy} of ${health.known} healthy`,
  },
  certificates: {
    label: 'Certificates',
    weight: 10,
    definition: 'Share of sites with an active certificate.',
    points: ({ certificates }) => ratio(certificates.active, certificates.checked),
    measured: ({ certificates }) => `${certificates.active} of ${certificates.checked} active`,
  },
}

/** With less of it known a score would say little of the whole. */
const leastWeight = 50

const tenths = (value: number): number => Math.round(value * 10) / 10

/** The weighted sum of what is known, and what of it is lost where. */
export function healthScore(parts: ScoreParts): { score: number | null; terms: ScoreTerm[] } {
  const found = Object.entries(rules).map(([key, rule]) => ({
    key: key as ScoreTermKey,
    rule,
    points: rule.points(parts),
  }))
  const known = found.reduce((sum, { rule, points }) => sum + (points === null ? 0 : rule.weight), 0)
  const isKnown = known >= leastWeight
  const terms = found.map(({ key, rule, points }): ScoreTerm => {
    const weight = points === null ? 0 : (100 * rule.weight) / known
    return {
      key,
      label: rule.label,
      definition: rule.definition,
      weight: tenths(points === null ? rule.weight : weight),
      points: points === null ? null : tenths(points),
      measured: points === null ? null : rule.measured(parts),
      lost: points === null ? null : tenths((weight * (100 - points)) / 100),
      worst: points === null || points === 100 ? null : (parts.worst[key] ?? null),
    }
  })
  const sum = found.reduce((all, { rule, points }) => all + (points === null ? 0 : (rule.weight * points) / known), 0)
  return { score: isKnown ? Math.round(sum) : null, terms }
}
