/** Milliseconds of one look that was answered; null where there was no such part. */
export type ScoredTimings = {
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  ttfb_ms: number | null
  download_ms: number | null
}

type Part = { weight: number; good: number; poor: number; of: (timings: ScoredTimings) => number | null }

/** Docs: docs/decisions/022-performance-score.md. */
const parts: readonly Part[] = [
  { weight: 0.5, good: 200, poor: 3000, of: ({ ttfb_ms }) => ttfb_ms },
  {
    weight: 0.3,
    good: 150,
    poor: 2000,
    of: ({ dns_ms, connect_ms, tls_ms }) => (connect_ms === null ? null : (dns_ms ?? 0) + connect_ms + (tls_ms ?? 0)),
  },
  { weight: 0.2, good: 100, poor: 2000, of: ({ download_ms }) => download_ms },
]

/** Of so many of the newest looks that were answered. */
export const scoredLooks = 10
const fewestLooks = 3

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

/** 1 up to `good`, 0 from `poor` on, and the same loss for every doubling between. */
export function shareBetween(value: number, { good, poor }: Pick<Part, 'good' | 'poor'>): number {
  if (value <= good) return 1
  if (value >= poor) return 0
  return Math.log(poor / value) / Math.log(poor / good)
}

/** 0 to 100; null while too few looks were answered. */
export function scoreOf(looks: readonly ScoredTimings[]): number | null {
  if (looks.length < fewestLooks) return null
  let score = 0
  for (const part of parts) {
    const value = median(looks.slice(0, scoredLooks).flatMap((look) => part.of(look) ?? []))
    if (value === null) return null
    score += part.weight * shareBetween(value, part)
  }
  return Math.round(100 * score)
}
