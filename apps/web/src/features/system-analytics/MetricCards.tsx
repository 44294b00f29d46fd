import type { SystemAnalytics } from '@agency/contract/types'
import { formatCount, formatCountShort } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './analytics.module.css'

type Card = {
  label: string
  value: (data: SystemAnalytics) => number | null
  note: (data: SystemAnalytics) => string
  /** Why there is no figure. */
  missing: (data: SystemAnalytics) => string
  href?: string
}

const unknownTraffic = ({ coverage }: SystemAnalytics) =>
  coverage.is_cloudflare_connected ? 'No traffic data yet' : 'Connect Cloudflare or switch on a beacon'
const daysText = ({ coverage: { days } }: SystemAnalytics) => (days === 1 ? 'on one day' : `in ${days} days`)

const cards: readonly Card[] = [
  {
    label: 'Total Sites',
    value: ({ overview }) => overview.total_sites,
    note: ({ coverage }) => `${formatCount(coverage.sites_measured)} with traffic data`,
    missing: () => '',
    href: paths.sites,
  },
  {
    label: 'Active Customers',
    value: ({ overview }) => overview.active_customers,
    note: () => 'subscribed now',
    missing: () => 'The first import from Stripe is not complete',
    href: paths.customers,
  },
  {
    label: 'Total Events',
    value: ({ overview }) => overview.total_events,
    note: (data) => `page views and goals ${daysText(data)}`,
    missing: unknownTraffic,
  },
  {
    label: 'Total Sessions',
    value: ({ overview }) => overview.total_sessions,
    note: (data) => {
      const { session_days: known, days } = data.coverage
      return known < days ? `visits, ${known} of ${days} days known` : `visits ${daysText(data)}`
    },
    missing: unknownTraffic,
  },
]

export function MetricCards({ data }: { data: SystemAnalytics | undefined }) {
  return (
    <div className={css['cards']}>
      {cards.map((card) => (
        <Metric key={card.label} card={card} data={data} />
      ))}
    </div>
  )
}

function Metric({ card, data }: { card: Card; data: SystemAnalytics | undefined }) {
  const { label, href } = card
  if (!data) return <StatCard label={label} value="" state="loading" />
  const value = card.value(data)
  if (value === null) return <StatCard label={label} value="—" state="unavailable" note={card.missing(data)} />
  return (
    <StatCard
      label={label}
      value={<span title={formatCount(value)}>{formatCountShort(value)}</span>}
      note={card.note(data)}
      asOf={data.as_of}
      {...(href !== undefined && { href })}
    />
  )
}
