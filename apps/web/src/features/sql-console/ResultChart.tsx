import { formatNumber } from '../../lib/format.ts'
import { BarPanel } from '../../ui/chart/BarPanel.tsx'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import type { Scale } from '../../ui/chart/chart.ts'
import { chartColors } from '../../ui/chart/colors.ts'
import type { Chart } from './result-shape.ts'

const decimalsOf = (value: number): number => (Number.isInteger(value) ? 0 : 2)
const plain = (value: number): string => formatNumber(value, decimalsOf(value))
const scale: Scale = { format: plain, short: plain, base: 10 }

const longestTick = 12
const tickOf = (slot: string): string => (slot.length > longestTick ? `${slot.slice(0, longestTick)}…` : slot)
const nameOf = (slot: string): string => slot

/** A result of two columns: a line over days and moments, bars over anything else. */
export function ResultChart({ chart: { kind, slots, values, slot, value } }: { chart: Chart }) {
  const one = { id: 'value', label: value, color: chartColors.main, values }
  const common = { title: `${value} by ${slot}`, first: slot, slots, scale, tickOf, nameOf }
  return kind === 'line' ? <ChartPanel {...common} lines={[one]} /> : <BarPanel {...common} series={[one]} />
}
