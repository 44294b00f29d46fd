/** A figure of each step; null where it is not known. */
export type Steps = readonly (number | null)[]

export const stepWidth = 4
export const sparkHeight = 24
/** Room for half of the line's width. */
const margin = 1.5

type Scale = (value: number) => number

function scaleOf(low: number, high: number): Scale {
  const room = sparkHeight - 2 * margin
  // A figure that never changed stands in the middle.
  if (high === low) return () => sparkHeight / 2
  return (value) => round(sparkHeight - margin - ((value - low) / (high - low)) * room)
}

const round = (value: number): number => Math.round(value * 100) / 100

const known = (values: Steps): number[] => values.filter((value): value is number => value !== null)

/** The line of a level, with a gap where nothing is known. `within`: what the scale holds in any case. */
export function linePath(values: Steps, within: readonly number[] = []): string {
  const all = [...known(values), ...within]
  const scale = scaleOf(Math.min(...all), Math.max(...all))
  return values
    .map((value, index) => {
      if (value === null) return ''
      const point = `${index * stepWidth + stepWidth / 2} ${scale(value)}`
      if (index > 0 && values[index - 1] !== null) return `L${point}`
      // One step alone is a dot: the round ends of a line without length.
      return (values[index + 1] ?? null) === null ? `M${point}h.01` : `M${point}`
    })
    .join('')
}

export type Bar = { x: number; y: number; height: number }

/** Bars from zero, for what came in each step; nothing where nothing is known. */
export function barsOf(values: Steps): { bars: Bar[]; zero: number } {
  const all = known(values)
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)]
  const scale = low === high ? () => sparkHeight - margin : scaleOf(low, high)
  const zero = scale(0)
  const bars = values.flatMap((value, index) => {
    if (value === null || value === 0) return []
    const end = scale(value)
    return [{ x: index * stepWidth + 0.5, y: Math.min(zero, end), height: round(Math.abs(end - zero)) }]
  })
  return { bars, zero }
}

/** The same in words: `lowest 36, highest 41, last 41; 3 of 30 days unknown`. */
export function sparkText(values: Steps, format: (value: number) => string): string {
  const all = known(values)
  if (all.length === 0) return 'nothing known yet'
  const last = values.at(-1) ?? null
  const figures = [
    `lowest ${format(Math.min(...all))}`,
    `highest ${format(Math.max(...all))}`,
    last === null ? 'today unknown' : `today ${format(last)}`,
  ].join(', ')
  const missing = values.length - all.length
  return missing === 0 ? figures : `${figures}; ${missing} of ${values.length} days unknown`
}
