import type { Change } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatDuration, formatMoney } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import { ChangeNote } from './ChangeNote.tsx'
import css from './reports.module.css'
import { type ReportsSearch, revenueQuery } from './reports-search.ts'

type Card = {
  label: string
  name: 'total_revenue' | 'active_subscriptions' | 'total_sites' | 'avg_response_time'
  href: string
  format: (value: number, currency: string) => string
  lessIsBetter?: boolean
}

const cards: readonly Card[] = [
  { label: 'Total Revenue', name: 'total_revenue', href: paths.revenueReport, format: formatMoney },
  { label: 'Active Subscriptions', name: 'active_subscriptions', href: paths.subscriptions, format: formatCount },
  { label: 'Total Sites', name: 'total_sites', href: paths.sites, format: formatCount },
  {
    label: 'Avg Response Time',
    name: 'avg_response_time',
    href: paths.performanceReport,
    format: formatDuration,
    lessIsBetter: true,
  },
]

/** The four figures that stand above every report, each with its measured change. */
export function HeadlineCards({ state }: { state: ReportsSearch }) {
  const query = useQuery(revenueQuery(state))
  const { data } = query
  return (
    <>
      <ListFailure
        error={query.error}
        what="the headline figures"
        at={data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {data || query.isPending ? (
        <div className={css['cards']}>
          {cards.map((card) => (
            <Headline
              key={card.label}
              card={card}
              figure={data?.headline[card.name]}
              currency={data?.currency ?? ''}
              asOf={data?.as_of ?? null}
              state={state}
            />
          ))}
        </div>
      ) : null}
    </>
  )
}

type Props = {
  card: Card
  figure: Change | undefined
  currency: string
  asOf: string | null
  state: ReportsSearch
}

function Headline({ card: { label, href, format, lessIsBetter = false }, figure, currency, asOf, state }: Props) {
  if (!figure) return <StatCard label={label} value="" state="loading" />
  const { current, reason } = figure
  if (current === null) return <StatCard label={label} value="—" state="unavailable" note={reason} href={href} />
  const words = (value: number) => format(value, currency)
  return (
    <StatCard
      label={label}
      value={words(current)}
      href={href}
      asOf={asOf}
      note={<ChangeNote change={figure} state={state} format={words} lessIsBetter={lessIsBetter} />}
    />
  )
}
