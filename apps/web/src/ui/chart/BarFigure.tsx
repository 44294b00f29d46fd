import { BarChart } from '@mui/x-charts/BarChart'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { type BarData, barReach, valueAt } from './bars.ts'
import css from './chart.module.css'
import { chartHeight, mostNames } from './chart.ts'
import { spanTicks } from './round-ticks.ts'

/** Bars from zero. Load it on first use: the charts are the largest part of the component library. */
export function BarFigure(data: BarData) {
  const { title, slots, series, scale, stacked = false, tickOf, nameOf, onSelect } = data
  const { most, least } = barReach(data)
  const ticks = spanTicks(least, most, scale.base)
  const every = Math.max(1, Math.ceil(slots.length / mostNames))
  return (
    <MuiRoot>
      <figure className={css['figure']} aria-label={`${title} as bars; "Show as table" lists all figures`}>
        <BarChart
          height={chartHeight}
          margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
          hideLegend
          skipAnimation
          grid={{ horizontal: true }}
          xAxis={[
            {
              scaleType: 'band',
              data: [...slots],
              tickInterval: (_slot: string, index: number) => index % every === 0,
              valueFormatter: (slot: string, { location }) => (location === 'tick' ? tickOf(slot) : nameOf(slot)),
            },
          ]}
          yAxis={[
            {
              min: Math.min(ticks[0] ?? 0, least),
              max: ticks.at(-1) ?? 1,
              width: 64,
              valueFormatter: scale.short,
              tickInterval: ticks,
            },
          ]}
          series={series.map((each) => ({
            id: each.id,
            label: each.label,
            color: each.color,
            data: slots.map((_, index) => valueAt(each, index)),
            ...(stacked && { stack: 'all', stackOffset: 'diverging' as const }),
            valueFormatter: (value: number | null) => (value === null ? 'unknown' : scale.format(value)),
          }))}
          {...(onSelect && {
            onItemClick: (_event: unknown, { seriesId, dataIndex }: { seriesId: unknown; dataIndex: number }) => {
              const [slot, chosen] = [slots[dataIndex], series.find(({ id }) => id === seriesId)]
              if (slot !== undefined && chosen) onSelect(slot, chosen)
            },
          })}
        />
      </figure>
    </MuiRoot>
  )
}
