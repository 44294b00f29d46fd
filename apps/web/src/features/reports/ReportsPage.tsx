import * as reportsRevenue from '@agency/contract/descriptors/reports-revenue'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { spanWords } from '../../lib/utc-days.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RangeBar } from '../../ui/RangeBar.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import { CustomersTab } from './customers/CustomersTab.tsx'
import { HeadlineCards } from './HeadlineCards.tsx'
import { PerformanceTab } from './PerformanceTab.tsx'
import { ReportExport } from './ReportExport.tsx'
import { ReportSql } from './ReportSql.tsx'
import { compareChoices, type ReportsSearch, rangeChoices, reportsSearch, revenueQuery } from './reports-search.ts'
import { RevenueTab } from './revenue/RevenueTab.tsx'
import { UsageTab } from './usage/UsageTab.tsx'

const heading = 'Reports & Analytics'
const tabNames = [
  [paths.revenueReport, 'Revenue'],
  [paths.customersReport, 'Customers'],
  [paths.usageReport, 'Usage'],
  [paths.performanceReport, 'Performance'],
] as const

export type ReportsParts = {
  /** The list of exports, where it is there. */
  Exports?: ComponentType
  /** Of the reports that are sent by mail. */
  Schedules?: ComponentType
}

/** The tab that is no report, if one is open. */
function partOf(tab: string, { Exports, Schedules }: ReportsParts): ComponentType | undefined {
  return tab === 'exports' ? Exports : tab === 'schedules' ? Schedules : undefined
}

export function ReportsPage(parts: ReportsParts) {
  const denial = useDenial(reportsRevenue.getRevenueReport)
  const { state } = useSearchState(reportsSearch)
  // Whoever may see a list may export it, and finds the file here; schedules are also of customers.
  if (!denial || partOf(state.tab, parts)) return <Reports {...parts} />
  return (
    <>
      <PageHeader title={heading} />
      <EmptyState title="You may not see reports" text={denial} />
    </>
  )
}

function Reports(parts: ReportsParts) {
  const { pathname } = useLocation()
  const { state, set } = useSearchState(reportsSearch)
  const Part = partOf(state.tab, parts)
  const current = pathname === paths.reports ? paths.revenueReport : pathname
  const rangeSearch = useRangeSearch(state)
  const tabs = tabNames.map(([path, label]) => ({ href: `${path}${rangeSearch}`, label }))
  const partTabs = [
    ...(parts.Schedules ? [{ href: paths.reportSchedules, label: 'Schedules' }] : []),
    ...(parts.Exports ? [{ href: paths.exports, label: 'Exports' }] : []),
  ]
  return (
    <>
      <PageHeader
        title={heading}
        summary={Part ? '' : <Period state={state} />}
        actions={
          Part ? undefined : (
            <>
              <ReportSql path={current} state={state} />
              <ReportExport path={current} state={state} />
            </>
          )
        }
      />
      <TabLinks
        label={heading}
        tabs={[...tabs, ...partTabs]}
        current={Part ? `${paths.reports}?tab=${state.tab}` : `${current}${rangeSearch}`}
      />
      {Part ? (
        <Part />
      ) : (
        <>
          <RangeBar
            choices={rangeChoices}
            initial={reportsSearch.range.initial}
            {...state}
            meanwhile="the last 30 days"
            // Reading the address never fails: what is none of the values is the default.
            onChange={(change) => set({ ...(change as Partial<ReportsSearch>), skip: null })}
          >
            <FilterSelect
              label="Compare with"
              value={state.compare}
              choices={compareChoices}
              onChange={(compare) => set({ compare: compare as ReportsSearch['compare'] })}
            />
          </RangeBar>
          <HeadlineCards state={state} />
          <Tab path={current} />
        </>
      )}
    </>
  )
}

/** The range goes along from tab to tab. */
function useRangeSearch({ range, from, to, compare }: ReportsSearch): string {
  const params = new URLSearchParams()
  if (range !== reportsSearch.range.initial) params.set('range', range)
  if (range === 'custom' && from !== '') params.set('from', from)
  if (range === 'custom' && to !== '') params.set('to', to)
  if (compare !== reportsSearch.compare.initial) params.set('compare', compare)
  const search = params.toString()
  return search === '' ? '' : `?${search}`
}

function Tab({ path }: { path: string }) {
  if (path === paths.customersReport) return <CustomersTab />
  if (path === paths.usageReport) return <UsageTab />
  if (path === paths.performanceReport) return <PerformanceTab />
  return <RevenueTab />
}

/** Of which days, in which zone, and against which. */
function Period({ state }: { state: ReportsSearch }) {
  const query = useQuery(revenueQuery(state))
  usePoll(() => void query.refetch())
  const period = query.data?.period
  if (!period) return ''
  const { current, compared, time_zone } = period
  return (
    <>
      {spanWords(current.first_day, current.last_day)}, compared with {spanWords(compared.first_day, compared.last_day)}{' '}
      · times in {time_zone.replaceAll('_', ' ')}
      {period.time_zone_is_default ? ' (default)' : ''}
    </>
  )
}
