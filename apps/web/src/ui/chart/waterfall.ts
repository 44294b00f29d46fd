/** A part of a bridge: a level that stands from zero, or a change to the level before it. */
export type BridgeStep = {
  id: string
  label: string
  kind: 'level' | 'change'
  /** Signed for a change; null where it is not known. */
  value: number | null
  color: string
  /** Where the rows behind it are. */
  href?: string | undefined
}

/** Where a bar begins and ends, as parts of the height. */
export type BridgeBar = BridgeStep & { bottom: number; height: number; below: boolean }

/**
 * Levels stand on zero, changes hang between the level before and after them. From a change that is not known on, until
 * the next level, nobody knows where the bars stand: they are not drawn.
 */
export function bridgeBars(steps: readonly BridgeStep[]): BridgeBar[] {
  const spans: ({ from: number; to: number } | null)[] = []
  let at: number | null = 0
  for (const { kind, value } of steps) {
    const from: number | null = kind === 'level' ? 0 : at
    const to: number | null = value === null || from === null ? null : from + value
    spans.push(from === null || to === null ? null : { from, to })
    at = to
  }
  const ends = spans.flatMap((span) => (span ? [span.from, span.to] : []))
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const size = most - least || 1
  return steps.map((step, index) => {
    const span = spans[index]
    if (!span) return { ...step, bottom: 0, height: 0, below: false }
    const low = Math.min(span.from, span.to)
    return {
      ...step,
      bottom: (low - least) / size,
      height: Math.abs(span.to - span.from) / size,
      below: span.to < span.from,
    }
  })
}
