import type { SitePerformance } from '@agency/contract/types'
import { ChartsReferenceLine } from '@mui/x-charts/ChartsReferenceLine'
import { LineChart } from '@mui/x-charts/LineChart'
import { formatDuration } from '../../../lib/format.ts'
import { MuiRoot } from '../../../theme/MuiRoot.tsx'
import { lines } from './lines.ts'
import { deploymentWords, type Slot, spanName, tickOf } from './slots.ts'

type Props = { performance: SitePerformance; slots: Slot[]; height: number }

const mostTicks = 6

export function ResponseChart({ performance, slots, height }: Props) {
  const every = Math.max(1, Math.ceil(slots.length / mostTicks))
  const slotOf = new Map(slots.map((slot) => [slot.at, slot]))
  const nameOf = (at: string) =>
    [spanName(at, performance), ...(slotOf.get(at)?.deployments.map(deploymentWords) ?? [])].join(' · ')
  const valueText = (value: number | null) => (value === null ? 'not known' : formatDuration(value))
  const shared = { curve: 'linear' as const, showMark: performance.series.length === 1, valueFormatter: valueText }
  return (
    <MuiRoot>
      <LineChart
        height={height}
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        hideLegend
        skipAnimation
        grid={{ horizontal: true }}
        xAxis={[
          {
            scaleType: 'point',
            data: slots.map(({ at }) => at),
            tickInterval: (_at: string, index: number) => index % every === 0,
            valueFormatter: (at: string, { location }) => (location === 'tick' ? tickOf(at, performance) : nameOf(at)),
          },
        ]}
        yAxis={[{ min: 0, width: 64, valueFormatter: (value: number) => formatDuration(value), tickNumber: 4 }]}
        series={[
          { id: 'response', ...lines.response, ...shared, data: slots.map(({ point }) => point?.response_ms ?? null) },
          { id: 'ttfb', ...lines.ttfb, ...shared, data: slots.map(({ point }) => point?.ttfb_ms ?? null) },
        ]}
      >
        {slots
          .filter(({ deployments }) => deployments.length > 0)
          .map(({ at }) => (
            <ChartsReferenceLine key={at} x={at} lineStyle={{ stroke: lines.mark, strokeDasharray: '4 4' }} />
          ))}
      </LineChart>
    </MuiRoot>
  )
}
