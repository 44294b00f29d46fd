import type { FigureName, Slot } from './figures.ts'

export type TrafficLine = {
  id: string
  label: string
  name: FigureName
  color: string
  /** Of the equal time before: drawn dashed. */
  isBefore?: boolean
}

export const figureIn = ({ point, before }: Slot, { name, isBefore }: TrafficLine): number | null =>
  (isBefore ? before : point)?.[name] ?? null

/** Of what is still running nothing is drawn; see the remark below the chart. */
export const drawnIn = (slot: Slot, line: TrafficLine): number | null =>
  !line.isBefore && slot.point?.is_partial ? null : figureIn(slot, line)
