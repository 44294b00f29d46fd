import type { AnalyzedSite, SystemAnalytics } from '@agency/contract/types'
import { dayWords } from '../../lib/day-field.ts'
import { formatCount, formatCountShort } from '../../lib/format.ts'
import { dayTick } from '../../lib/utc-days.ts'
import { BarPanel } from '../../ui/chart/BarPanel.tsx'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import { chartHeight, type Scale } from '../../ui/chart/chart.ts'
import { chartColors } from '../../ui/chart/colors.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './analytics.module.css'

const counts: Scale = { format: formatCount, short: formatCountShort, base: 10 }
const titles = { events: 'Daily Events', growth: 'Customer Growth', sites: 'Top Sites by Events' }
const noTraffic = 'No traffic data for this period.'

export function AnalyticsCharts({ data }: { data: SystemAnalytics | undefined }) {
  if (!data) {
    return (
      <div className={css['charts']}>
        {Object.values(titles).map((title) => (
          <Panel key={title} title={title} loading skeleton={<Skeleton height={chartHeight + 24} />}>
            {null}
          </Panel>
        ))}
      </div>
    )
  }
  const { daily_events: days, customer_growth: growth } = data.platform_metrics
  return (
    <div className={css['charts']}>
      <ChartPanel
        title={titles.events}
        first="Day (UTC)"
        slots={days.map(({ date }) => date)}
        lines={[
          { id: 'events', label: 'Events', color: chartColors.main, values: days.map(({ events }) => events) },
          { id: 'sessions', label: 'Sessions', color: chartColors.second, values: days.map((day) => day.sessions) },
        ]}
        scale={counts}
        tickOf={dayTick}
        nameOf={dayWords}
        empty={days.every(({ events, sessions }) => events === null && sessions === null) ? noTraffic : undefined}
      />
      <ChartPanel
        title={titles.growth}
        first="Day (UTC)"
        slots={growth.map(({ date }) => date)}
        lines={[
          { id: 'all', label: 'Customers', color: chartColors.main, values: growth.map(({ customers }) => customers) },
        ]}
        scale={counts}
        tickOf={dayTick}
        nameOf={dayWords}
        empty={growth.length === 0 ? 'The first import from Stripe is not complete.' : undefined}
        foot={<p className={css['note']}>Current customers by the day they were added.</p>}
      />
      <SitesChart sites={data.top_sites} />
    </div>
  )
}

const longestTick = 12
const tickOf = (name: string) => (name.length > longestTick ? `${name.slice(0, longestTick - 1)}…` : name)

function SitesChart({ sites }: { sites: readonly AnalyzedSite[] }) {
  const nameOf = new Map(sites.map(({ site_id, site_name }) => [site_id, site_name]))
  const name = (id: string) => nameOf.get(id) ?? id
  return (
    <BarPanel
      title={titles.sites}
      first="Site"
      slots={sites.map(({ site_id }) => site_id)}
      series={[{ id: 'events', label: 'Events', color: chartColors.main, values: sites.map(({ events }) => events) }]}
      scale={counts}
      tickOf={(id) => tickOf(name(id))}
      nameOf={name}
      empty={sites.length === 0 ? noTraffic : undefined}
    />
  )
}
