import type { ChartLine, Scale } from './chart.ts'

export type BarSeries = Pick<ChartLine, 'id' | 'label' | 'color' | 'values'>

export type BarData = {
  title: string
  /** What each bar, or group of bars, is of. */
  slots: readonly string[]
  series: readonly BarSeries[]
  scale: Scale
  /** One on the other instead of beside each other. */
  stacked?: boolean
  tickOf: (slot: string) => string
  nameOf: (slot: string) => string
  onSelect?: ((slot: string, series: BarSeries) => void) | undefined
}

export const valueAt = ({ values }: Pick<BarSeries, 'values'>, index: number): number | null => values[index] ?? null

/** What a stack comes to; not known where a part of it is not. */
export const barTotals = (slots: readonly string[], series: readonly BarSeries[]): (number | null)[] =>
  slots.map((_, index) =>
    series.reduce<number | null>((sum, each) => {
      const value = valueAt(each, index)
      return sum === null || value === null ? null : sum + value
    }, 0),
  )

/** How far the bars reach above and below zero. */
export function barReach({ slots, series, stacked = false }: Pick<BarData, 'slots' | 'series' | 'stacked'>): {
  most: number
  least: number
} {
  let [most, least] = [0, 0]
  for (const [index] of slots.entries()) {
    const values = series.map((each) => valueAt(each, index) ?? 0)
    const above = values.filter((value) => value > 0)
    const below = values.filter((value) => value < 0)
    most = Math.max(most, stacked ? above.reduce((sum, value) => sum + value, 0) : Math.max(0, ...above))
    least = Math.min(least, stacked ? below.reduce((sum, value) => sum + value, 0) : Math.min(0, ...below))
  }
  return { most, least }
}
