import type { MetricSeries } from '@agency/contract/types'
import { formatCountShort } from '../../lib/format.ts'
import { gaugeTone } from '../../lib/gauge.ts'
import { paths } from '../../lib/paths.ts'
import type { Tone } from '../../theme/palette.ts'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import type { ChartLine } from '../../ui/chart/chart.ts'
import { LinearGauge } from '../../ui/LinearGauge.tsx'
import { formatMeasure } from './measure.ts'
import { type ChartOf, highest } from './metric-charts.ts'
import { type MetricsAnswer, metricSlots, momentName, tickOf, valuesIn } from './metric-slots.ts'
import css from './monitoring.module.css'

type Props = { chart: ChartOf; answer: MetricsAnswer }

type Drawn = ChartOf['lines'][number] & { series: MetricSeries }

export function MetricChart({ chart, answer }: Props) {
  const found = chart.lines.flatMap((line): Drawn[] => {
    const series = answer.series.find(({ key }) => key === line.key)
    return series ? [{ ...line, series }] : []
  })
  const slots = metricSlots(answer)
  const watched = found.map(({ series }) => series).find(({ rule }) => rule)
  const unit = found[0]?.series.unit ?? ''
  const format = (value: number) => formatMeasure(value, unit)
  const rule = watched?.rule ?? null
  return (
    <ChartPanel
      title={chart.title}
      asOf={found[0]?.series.measured_at ?? null}
      first="From"
      slots={slots}
      lines={linesOf(found, slots, answer)}
      scale={{ format, short: unit === '%' || unit === 'ms' ? format : formatCountShort, base: 10 }}
      tickOf={(at) => tickOf(at, answer)}
      nameOf={momentName}
      limit={rule?.is_enabled ? { value: rule.threshold, label: `Alert at ${format(rule.threshold)}` } : null}
      head={<Now chart={chart} found={found} />}
      footer={<Rule rule={rule} format={format} />}
    />
  )
}

function linesOf(found: readonly Drawn[], slots: readonly string[], answer: MetricsAnswer): ChartLine[] {
  const lines = found.map(({ key, label, color, series }) => ({
    id: key,
    label,
    color,
    values: valuesIn(slots, answer, series.points, 'value'),
  }))
  const [only] = found
  if (found.length !== 1 || !only || only.series.points.every(({ value, max }) => max <= value)) return lines
  const peaks = valuesIn(slots, answer, only.series.points, 'max')
  return [...lines, { id: `${only.key}_max`, ...highest, isDashed: true, values: peaks }]
}

/** What was measured last, in the colour that it has by the rules. */
function Now({ chart: { gauge }, found }: { chart: ChartOf; found: readonly Drawn[] }) {
  const [first] = found
  if (gauge && first) {
    const { value, unit } = first.series
    return (
      <div className={css['gauge']}>
        <LinearGauge
          label="Now"
          value={value}
          text={value === null ? '' : formatMeasure(value, unit)}
          tone={gauge === 'plain' ? toneOf(first.series) : gaugeTone(gauge, value)}
        />
      </div>
    )
  }
  return (
    <dl className={css['now']}>
      {found.map(({ key, label, series }) => (
        <div key={key}>
          <dt>{found.length === 1 ? 'Now' : label}</dt>
          <dd data-tone={toneOf(series)} data-unknown={series.value === null}>
            {series.value === null ? 'Not measured in the last 5 minutes' : formatMeasure(series.value, series.unit)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const toneOf = ({ value, rule }: MetricSeries): Tone =>
  value !== null && rule?.is_enabled && value > rule.threshold ? 'warning' : 'neutral'

function Rule({ rule, format }: { rule: MetricSeries['rule']; format: (value: number) => string }) {
  return (
    <>
      {rule ? (
        <>
          Rule: <bdi>{rule.name}</bdi>, at {format(rule.threshold)}
          {rule.is_enabled ? null : ' (off)'}
        </>
      ) : (
        'No alert rule'
      )}
      {' · '}
      <a href={paths.alertRules}>Alert rules</a>
    </>
  )
}
