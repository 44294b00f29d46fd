import * as reportsCustomers from '@agency/contract/descriptors/reports-customers'
import * as reportsRevenue from '@agency/contract/descriptors/reports-revenue'
import * as reportsUsage from '@agency/contract/descriptors/reports-usage'
import type { ReportRange, RevenueFigure } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { day } from '../../lib/day-field.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, readState, type StateOf, text, whole } from '../../lib/search-state.ts'

const ranges = ['last_7_days', 'last_30_days', 'last_90_days', 'last_year', 'custom'] as const
const usageSorts = ['-bandwidth', '-requests', '-storage', '-price', 'margin', '-margin', 'site_name'] as const
const keepsPage = { keepsPage: true }

export const reportsSearch = {
  range: oneOf(ranges, 'last_30_days'),
  from: day(),
  to: day(),
  compare: oneOf(['previous', 'last_year'], 'previous'),
  tab: oneOf(['', 'exports', 'schedules'], ''),
  /** Of the customers' tab; empty: the account's. */
  currency: text(),
  cohorts: oneOf(['revenue', 'customers'], 'revenue'),
  // The rows behind a figure.
  figure: text('', keepsPage),
  of: text('', keepsPage),
  month: text('', keepsPage),
  more: text('', keepsPage),
  rows: whole(null, keepsPage),
  // The sites of the usage tab.
  show: oneOf(['all', 'upsell', 'loss'], 'all'),
  sort: oneOf(usageSorts, '-bandwidth'),
  search: text(),
  skip: whole(),
}
export type ReportsSearch = StateOf<typeof reportsSearch>

export const rangeChoices: { value: ReportRange; label: string }[] = [
  { value: 'last_7_days', label: 'Last 7 days' },
  { value: 'last_30_days', label: 'Last 30 days' },
  { value: 'last_90_days', label: 'Last 90 days' },
  { value: 'last_year', label: 'Last year' },
  { value: 'custom', label: 'Custom' },
]
export const compareChoices = [
  { value: 'previous', label: 'Previous period' },
  { value: 'last_year', label: 'Last year' },
]
export const compareWords: Record<ReportsSearch['compare'], string> = {
  previous: 'vs the previous period',
  last_year: 'vs a year before',
}

/** A custom range that is not complete asks for the usual one. */
export function rangeOf({ range, from, to, compare }: ReportsSearch) {
  if (range !== 'custom') return { range, compare }
  if (from === '' || to === '' || from > to) return { range: 'last_30_days' as const, compare }
  return { range, from, to, compare }
}

export const revenueQuery = (state: ReportsSearch) => q(reportsRevenue.getRevenueReport, { query: rangeOf(state) })

export const customersQuery = (state: ReportsSearch) =>
  q(reportsCustomers.getCustomerReport, {
    query: { ...rangeOf(state), ...(state.currency !== '' && { currency: state.currency }) },
  })

export type CustomerReport = Awaited<ReturnType<ReturnType<typeof customersQuery>['queryFn']>>

const listed = 25

export const churnedQuery = (state: ReportsSearch, currency: string) =>
  q(reportsCustomers.listChurned, { query: { ...rangeOf(state), currency, limit: listed } })

export const renewalsQuery = (currency: string) =>
  q(reportsCustomers.listRenewals, { query: { days: 30, currency, limit: listed } })

export const usageQuery = (state: ReportsSearch) => q(reportsUsage.getUsageReport, { query: rangeOf(state) })

export const sitesPerPage = 25

export const usageSitesQuery = (state: ReportsSearch) =>
  q(reportsUsage.listUsageSites, {
    query: {
      ...rangeOf(state),
      ...{ show: state.show, sort: state.sort, limit: sitesPerPage, offset: Math.max(0, state.skip ?? 0) },
      ...(state.search !== '' && { search: state.search }),
    },
  })

export const performanceQuery = (state: ReportsSearch) =>
  q(reportsUsage.getPerformanceReport, { query: rangeOf(state) })

export const rowsPerPage = 50

export const revenueRowsQuery = (state: ReportsSearch) =>
  q(reportsRevenue.getRevenueRows, {
    query: {
      ...rangeOf(state),
      figure: state.figure as RevenueFigure,
      ...{ limit: rowsPerPage, offset: Math.max(0, state.rows ?? 0) },
      ...(state.of !== '' && { currency: state.of }),
      ...(state.month !== '' && { month: state.month }),
      ...(state.more !== '' && { site: state.more }),
    },
  })

/** `segment:starter`, `cohort:2026-01:3`, `paying`. */
export function customerRowsQuery(state: ReportsSearch) {
  const [figure = '', first = '', second = ''] = state.figure.split(':')
  return q(reportsCustomers.getCustomerRows, {
    query: {
      ...rangeOf(state),
      figure: figure as 'segment' | 'cohort' | 'paying',
      ...{ limit: rowsPerPage, offset: Math.max(0, state.rows ?? 0) },
      ...(state.of !== '' && { currency: state.of }),
      ...(figure === 'segment' && { segment: first as 'starter' }),
      ...(figure === 'cohort' && { cohort: first, offset_months: second }),
    },
  })
}

const queriesOfTab: Record<string, (state: ReportsSearch) => { queryKey: readonly unknown[] }[]> = {
  [paths.customersReport]: (state) => [customersQuery(state)],
  [paths.usageReport]: (state) => [usageQuery(state), usageSitesQuery(state)],
  [paths.performanceReport]: (state) => [performanceQuery(state)],
}

/** What the screen asks first, read from its address. The headline is the revenue report's. */
export function reportQueries(params: URLSearchParams, pathname: string) {
  const state = readState(reportsSearch, params)
  if (state.tab === 'exports') return []
  return [revenueQuery(state), ...(queriesOfTab[pathname]?.(state) ?? [])] as ReturnType<typeof revenueQuery>[]
}
