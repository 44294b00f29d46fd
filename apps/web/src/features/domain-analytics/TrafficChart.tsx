import type { ZoneAnalytics } from '@agency/contract/types'
import { LineChart } from '@mui/x-charts/LineChart'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import css from './analytics.module.css'
import { type ChartLine, chartHeight, figureIn, type Scale } from './chart-lines.ts'
import { longTimeLabel, type Slot, timeLabel } from './figures.ts'
import { roundTicks } from './scale.ts'

type Props = { title: string; lines: ChartLine[]; slots: Slot[]; step: ZoneAnalytics['step']; scale: Scale }

const dashed = { '& [data-series="before"]': { strokeDasharray: '5 4', strokeWidth: 1.5 } }
const mostNames = 6

/** Of what is still running nothing is drawn; see the remark below the chart. */
const drawn = (slot: Slot, line: ChartLine) => (!line.isBefore && slot.point?.is_partial ? null : figureIn(slot, line))

export function TrafficChart({ title, lines, slots, step, scale }: Props) {
  const every = Math.max(1, Math.ceil(slots.length / mostNames))
  const data = lines.map((line) => slots.map((slot) => drawn(slot, line)))
  const ticks = roundTicks(Math.max(0, ...data.flat().map((value) => value ?? 0)), scale.base)
  return (
    <MuiRoot>
      <figure className={css['figure']} aria-label={`${title} over time; "Show as table" lists all figures`}>
        <LineChart
          height={chartHeight}
          margin={{ left: 0, right: 24, top: 8, bottom: 0 }}
          hideLegend
          skipAnimation
          grid={{ horizontal: true }}
          sx={dashed}
          xAxis={[
            {
              scaleType: 'point',
              data: slots.map(({ ts }) => ts),
              tickInterval: (_ts: string, index: number) => index % every === 0,
              valueFormatter: (ts: string, { location }) =>
                location === 'tick' ? timeLabel(ts, step) : longTimeLabel(ts, step),
            },
          ]}
          yAxis={[{ min: 0, max: ticks.at(-1) ?? 1, width: 64, valueFormatter: scale.short, tickInterval: ticks }]}
          series={lines.map((line, index) => ({
            id: line.id,
            label: line.label,
            color: line.color,
            data: data[index] ?? [],
            curve: 'linear',
            showMark: slots.length === 1,
            valueFormatter: (value: number | null) => (value === null ? 'not known' : scale.format(value)),
          }))}
        />
      </figure>
    </MuiRoot>
  )
}
