import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayWords } from '../../../lib/day-field.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import { dayTick } from '../../../lib/utc-days.ts'
import { ChartPanel } from '../../../ui/chart/ChartPanel.tsx'
import { chartColors } from '../../../ui/chart/colors.ts'
import { ReportFrame } from '../ReportFrame.tsx'
import css from '../reports.module.css'
import { reportsSearch, usageQuery, usageSitesQuery } from '../reports-search.ts'
import { counts, sizes } from '../scales.ts'
import { type Report, useReport } from '../use-report.ts'
import { MetricCards } from './MetricCards.tsx'
import { ProfitPanels } from './ProfitPanels.tsx'
import { UsageSites } from './UsageSites.tsx'

type Usage = NonNullable<Report<Awaited<ReturnType<ReturnType<typeof usageQuery>['queryFn']>>>['data']>

export function UsageTab() {
  const { state } = useSearchState(reportsSearch)
  const report = useReport(usageQuery(state))
  const sites = useQuery({ ...usageSitesQuery(state), placeholderData: keepPreviousData })
  return (
    <ReportFrame report={report} what="the usage report" panels={['Requests', 'Bandwidth', 'Profit']}>
      {(data) => (
        <>
          <MetricCards metrics={data.metrics} days={data.days} state={state} />
          <Charts daily={data.daily} />
          <ProfitPanels money={sites.data} failed={sites.isError} definitions={data.definitions} />
          <UsageSites query={sites} definitions={data.definitions} />
        </>
      )}
    </ReportFrame>
  )
}

function Charts({ daily }: { daily: Usage['daily'] }) {
  const axis = { first: 'Day (UTC)', slots: daily.map(({ day }) => day), tickOf: dayTick, nameOf: dayWords }
  const values = (name: Exclude<keyof Usage['daily'][number], 'day'>) => daily.map((day) => day[name])
  return (
    <div className={css['panels']}>
      <ChartPanel
        {...axis}
        title="Requests"
        lines={[
          { id: 'all', label: 'All requests', color: chartColors.main, values: values('requests') },
          { id: 'cached', label: 'Cached', color: chartColors.second, values: values('cached_requests') },
        ]}
        scale={counts}
      />
      <ChartPanel
        {...axis}
        title="Bandwidth"
        lines={[{ id: 'bytes', label: 'Bytes sent', color: chartColors.main, values: values('bandwidth') }]}
        scale={sizes}
      />
      <ChartPanel
        {...axis}
        title="Visits"
        lines={[{ id: 'visits', label: 'Visits', color: chartColors.main, values: values('visits') }]}
        scale={counts}
        undrawable="Cloudflare has no samples for this range."
      />
    </div>
  )
}
