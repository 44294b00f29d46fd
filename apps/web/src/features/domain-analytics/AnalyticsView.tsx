import type { AnalyticsRange, ZoneAnalytics } from '@agency/contract/types'
import { formatBytes, formatCount, formatCountShort } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { chartHeight, type Scale } from '../../ui/chart/chart.ts'
import { chartColors } from '../../ui/chart/colors.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import { AnalyticsNotices } from './AnalyticsNotices.tsx'
import css from './analytics.module.css'
import { FigureCards } from './FigureCards.tsx'
import { slotsOf } from './figures.ts'
import { TopLists } from './TopLists.tsx'
import { TrafficPanel } from './TrafficPanel.tsx'
import type { TrafficLine } from './traffic-lines.ts'

type Props = { answer: ZoneAnalytics; range: AnalyticsRange; onRetry: () => void }

const { main, second, before: muted } = chartColors

type Chart = { title: string; lines: TrafficLine[]; scale: Scale }
const counts: Scale = { format: formatCount, short: formatCountShort, base: 10 }
const sizes: Scale = { format: formatBytes, short: formatBytes, base: 1024 }

const charts: Chart[] = [
  {
    title: 'Requests',
    lines: [
      { id: 'all', label: 'All requests', name: 'requests', color: main },
      { id: 'cached', label: 'Cached', name: 'cached_requests', color: second },
      { id: 'before', label: 'Previous period', name: 'requests', color: muted, isBefore: true },
    ],
    scale: counts,
  },
  {
    title: 'Bandwidth',
    lines: [
      { id: 'all', label: 'All bytes', name: 'bytes', color: main },
      { id: 'cached', label: 'Cached', name: 'cached_bytes', color: second },
      { id: 'before', label: 'Previous period', name: 'bytes', color: muted, isBefore: true },
    ],
    scale: sizes,
  },
  {
    title: 'Visitors',
    lines: [
      { id: 'views', label: 'Page views', name: 'page_views', color: main },
      { id: 'visitors', label: 'Unique visitors', name: 'unique_visitors', color: second },
      { id: 'before', label: 'Page views, previous period', name: 'page_views', color: muted, isBefore: true },
    ],
    scale: counts,
  },
  {
    title: 'Threats',
    lines: [
      { id: 'threats', label: 'Threats stopped', name: 'threats', color: second },
      { id: 'before', label: 'Previous period', name: 'threats', color: muted, isBefore: true },
    ],
    scale: counts,
  },
]

export function AnalyticsView({ answer, range, onRetry }: Props) {
  const notices = <AnalyticsNotices answer={answer} onRetry={onRetry} />
  if (answer.totals === null) {
    return (
      <>
        {notices}
        <Nothing answer={answer} />
      </>
    )
  }
  const slots = slotsOf(answer)
  const isQuiet = answer.series.length === 0
  return (
    <>
      {notices}
      <FigureCards answer={answer} range={range} />
      {isQuiet ? (
        <EmptyState title="No traffic in this period" text="Cloudflare saw no requests for this domain." />
      ) : (
        <div className={css['charts']}>
          {charts.map((chart) => (
            <TrafficPanel key={chart.title} {...chart} slots={slots} step={answer.step} />
          ))}
        </div>
      )}
      <TopLists answer={answer} />
    </>
  )
}

/** Of the height that the figures and charts will have. */
export function AnalyticsSkeleton({ range }: Pick<Props, 'range'>) {
  return (
    <>
      <StillWaiting />
      <FigureCards answer={undefined} range={range} />
      <div className={css['charts']}>
        {charts.map(({ title }) => (
          <Panel key={title} title={title} loading skeleton={<Skeleton height={chartHeight} />}>
            {null}
          </Panel>
        ))}
      </div>
    </>
  )
}

/** Nothing is known: the notice says why, here is what would help. */
function Nothing({ answer }: { answer: ZoneAnalytics }) {
  const isSetting = answer.error?.code === 'not_connected' || answer.error?.code === 'auth'
  return (
    <EmptyState
      title="No figures to show"
      text="No data for this domain yet."
      action={isSetting ? <Button href={paths.config}>Open settings</Button> : undefined}
    />
  )
}
