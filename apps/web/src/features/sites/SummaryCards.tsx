import type { SiteSummary } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { Age } from '../../ui/Age.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import type { SiteSearch } from './site-search.ts'
import css from './sites.module.css'
import { sitesList } from './sites-list.ts'

type Props = {
  /** undefined while it loads, and where nothing is known. */
  summary: SiteSummary | undefined
  failed: boolean
  /** When the figures were true. */
  at: number
  hrefFor: (change: Partial<SiteSearch>) => string
}

const { noFilters } = sitesList
const cards = [
  { label: 'Total', figure: 'total', filter: noFilters },
  { label: 'Active', figure: 'active', filter: { ...noFilters, status: 'active' } },
  { label: 'Healthy', figure: 'healthy', filter: { ...noFilters, health: 'healthy' } },
  { label: 'SSL Issues', figure: 'ssl_issues', filter: { ...noFilters, ssl: 'issues' } },
] as const satisfies readonly { label: string; figure: keyof SiteSummary; filter: Partial<SiteSearch> }[]

/** Each shows in the list what it counts. */
export function SummaryCards({ summary, failed, at, hrefFor }: Props) {
  const state = summary ? 'ready' : failed ? 'unavailable' : 'loading'
  return (
    <div className={css['cards']}>
      {cards.map(({ label, figure, filter }) => (
        <StatCard
          key={label}
          label={label}
          state={state}
          href={hrefFor(filter)}
          value={formatCount(summary?.[figure] ?? 0)}
          tone={figure === 'ssl_issues' && summary && summary.ssl_issues > 0 ? 'warning' : 'neutral'}
          asOf={summary ? at : null}
          note={summary ? failed ? <Age at={at} failed /> : noteOf(figure, summary) : null}
        />
      ))}
    </div>
  )
}

/** What a card leaves out, so that nobody has to subtract. */
function noteOf(figure: keyof SiteSummary, summary: SiteSummary): string {
  const others = (count: number, what: string) => (count === 0 ? '' : `${formatCount(count)} ${what}`)
  const notes: Record<keyof SiteSummary, () => string> = {
    total: () => '',
    active: () => others(summary.total - summary.active, 'in another state'),
    healthy: () => others(summary.total - summary.healthy, 'degraded, down or unknown'),
    ssl_issues: () => 'certificate not active',
  }
  return summary.total === 0 ? '' : notes[figure]()
}
