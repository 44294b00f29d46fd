import { ChartsReferenceLine } from '@mui/x-charts/ChartsReferenceLine'
import { LineChart } from '@mui/x-charts/LineChart'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import css from './chart.module.css'
import { type ChartData, chartHeight, mostNames, standsAlone } from './chart.ts'
import { roundTicks } from './round-ticks.ts'

const dashed = { '& .MuiLineChart-line[data-series$="-dashed"]': { strokeDasharray: '5 4', strokeWidth: 1.5 } }
const markColor = 'var(--mui-palette-text-secondary)'
const limitColor = 'var(--mui-palette-error-main)'

/** Lines over time from zero. Load it on first use: the charts are the largest part of the component library. */
export function LineFigure({ title, slots, lines, scale, tickOf, nameOf, limit = null, marks = [] }: ChartData) {
  const every = Math.max(1, Math.ceil(slots.length / mostNames))
  const data = lines.map(({ values, drawn = values }) => [...drawn])
  const most = data.flat().reduce<number>((highest, value) => Math.max(highest, value ?? 0), limit?.value ?? 0)
  const ticks = roundTicks(most, scale.base)
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
              data: [...slots],
              tickInterval: (_at: string, index: number) => index % every === 0,
              valueFormatter: (at: string, { location }) => (location === 'tick' ? tickOf(at) : nameOf(at)),
            },
          ]}
          yAxis={[{ min: 0, max: ticks.at(-1) ?? 1, width: 64, valueFormatter: scale.short, tickInterval: ticks }]}
          series={lines.map((line, index) => ({
            id: line.isDashed ? `${line.id}-dashed` : line.id,
            label: line.label,
            color: line.color,
            data: data[index] ?? [],
            curve: 'linear',
            showMark: ({ index: at }) => standsAlone(data[index] ?? [], at),
            valueFormatter: (value: number | null) => (value === null ? 'unknown' : scale.format(value)),
          }))}
        >
          {limit ? (
            <ChartsReferenceLine y={limit.value} lineStyle={{ stroke: limitColor, strokeDasharray: '2 3' }} />
          ) : null}
          {marks.flatMap(({ label, isBad = false, at: moments }) =>
            moments.map((at) => (
              <ChartsReferenceLine
                key={`${label} ${at}`}
                x={at}
                lineStyle={{ stroke: isBad ? limitColor : markColor, strokeDasharray: '4 4' }}
              />
            )),
          )}
        </LineChart>
      </figure>
    </MuiRoot>
  )
}
