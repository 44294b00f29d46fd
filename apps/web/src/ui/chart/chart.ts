export const chartHeight = 240
/** More names than these do not fit below a chart. */
export const mostNames = 6

/** What the axis of a chart shows. */
export type Scale = { format: (value: number) => string; short: (value: number) => string; base: 10 | 1024 }

export type ChartLine = {
  id: string
  label: string
  /** Said behind the label in the legend alone. */
  note?: string
  color: string
  isDashed?: boolean
  /** One for each moment of the axis; null where nothing is known, which stays a gap. */
  values: readonly (number | null)[]
  /** What is drawn, where that is not all that the table lists. */
  drawn?: readonly (number | null)[]
}

/** A value that is watched: drawn across the whole chart. */
export type ChartLimit = { value: number; label: string }

/** What the marked moments are: "Deployment". Those of what was bad have the colour of errors. */
export type ChartMarks = { label: string; isBad?: boolean; at: readonly string[] }

export type ChartData = {
  title: string
  /** The moments of the axis, evenly spaced, also those of which nothing is known. */
  slots: readonly string[]
  lines: readonly ChartLine[]
  scale: Scale
  /** A moment as it stands below the chart. */
  tickOf: (at: string) => string
  /** A moment in full. */
  nameOf: (at: string) => string
  limit?: ChartLimit | null
  marks?: readonly ChartMarks[]
}

export const isDrawable = (lines: readonly ChartLine[]): boolean =>
  lines.some(({ values, drawn = values }) => drawn.some((value) => value !== null))

/** Between two gaps a value has no line that would show it: it is marked. */
export function standsAlone(values: readonly (number | null)[], index: number): boolean {
  const isKnown = (at: number) => (values[at] ?? null) !== null
  return isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1)
}
