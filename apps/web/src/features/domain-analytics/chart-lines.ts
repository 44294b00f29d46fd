import type { FigureName, Slot } from './figures.ts'

export type ChartLine = {
  id: string
  label: string
  name: FigureName
  color: string
  /** Of the equal time before: drawn dashed. */
  isBefore?: boolean
}

export const chartHeight = 240

/** What the axis of a chart shows. */
export type Scale = { format: (value: number) => string; short: (value: number) => string; base: 10 | 1024 }

export const figureIn = ({ point, before }: Slot, { name, isBefore }: ChartLine): number | null =>
  (isBefore ? before : point)?.[name] ?? null
