import type { AnalyticsRange, AnalyticsTotals, Trend, ZoneAnalytics } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import { Delta } from '../../ui/Delta.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './analytics.module.css'
import { rangeWords } from './analytics-search.ts'
import { cachedShareTrend, shareOf } from './figures.ts'

type Props = { answer: ZoneAnalytics | undefined; range: AnalyticsRange }

type Figure = {
  label: string
  value: (totals: AnalyticsTotals) => number | null
  format: (value: number) => string
  formatChange?: (value: number) => string
  trend: (answer: ZoneAnalytics) => Trend | undefined
  lessIsBetter?: boolean
  /** Said in place of the figure's change, when there is no figure. */
  missing?: string
}

const share = ({ cached_requests, requests }: AnalyticsTotals) => shareOf(cached_requests, requests)

const figures: Figure[] = [
  { label: 'Requests', value: (t) => t.requests, format: formatCount, trend: ({ trends }) => trends.requests },
  {
    label: 'Cached share',
    value: share,
    format: formatPercent,
    formatChange: (change) => `${formatNumber(change, 1)} points`,
    trend: cachedShareTrend,
  },
  { label: 'Bandwidth', value: (t) => t.bytes, format: formatBytes, trend: ({ trends }) => trends.bytes },
  {
    label: 'Threats',
    value: (t) => t.threats,
    format: formatCount,
    trend: ({ trends }) => trends.threats,
    lessIsBetter: true,
  },
  { label: 'Page views', value: (t) => t.page_views, format: formatCount, trend: ({ trends }) => trends.page_views },
  {
    label: 'Unique visitors',
    value: (t) => t.unique_visitors,
    format: formatCount,
    trend: ({ trends }) => trends.unique_visitors,
    missing: 'Unique visitors cannot be added up over days',
  },
]

export function FigureCards({ answer, range }: Props) {
  return (
    <div className={css['cards']}>
      {figures.map((figure) => (
        <Card key={figure.label} figure={figure} answer={answer} range={range} />
      ))}
    </div>
  )
}

function Card({ figure, answer, range }: Props & { figure: Figure }) {
  const { label, format, missing } = figure
  if (!answer) return <StatCard label={label} value="" state="loading" />
  const value = answer.totals ? figure.value(answer.totals) : null
  if (value === null && answer.totals?.requests === 0) return <StatCard label={label} value="—" note="no requests" />
  if (value === null) return <StatCard label={label} value="—" state="unavailable" note={missing} />
  return (
    <StatCard label={label} value={format(value)} asOf={answer.fetched_at} note={changeOf(figure, answer, range)} />
  )
}

function changeOf(
  { trend: read, format, formatChange, lessIsBetter = false }: Figure,
  answer: ZoneAnalytics,
  range: AnalyticsRange,
): ReactNode {
  const trend = read(answer)
  if (!trend) return 'no earlier figures'
  const period = rangeWords[range].before
  return <Delta {...trend} {...{ period, format, formatChange, lessIsBetter }} />
}
