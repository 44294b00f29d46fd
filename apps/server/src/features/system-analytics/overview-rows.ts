import type { SystemAnalytics } from '@agency/contract/system-analytics'
import type { RequestContext } from '../../context.ts'
import { dayText } from '../../platform/day-text.ts'
import { defineExport, type ParametersOf } from '../../platform/export-kind.ts'
import { daysOf } from './days.ts'
import { getSystemAnalytics } from './get-system-analytics.ts'

type Chosen = ParametersOf<'system_overview'>

/** One figure of the screen; what is not known has no value. */
type Row = { section: string; date: string | null; name: string | null; metric: string; value: number | null }

const figure = (section: string, metric: string, value: number | null, of: Partial<Row> = {}): Row => ({
  ...{ section, metric, value, date: null, name: null, ...of },
})

function rowsOf({ overview, platform_metrics: platform, top_sites }: SystemAnalytics): Row[] {
  return [
    ...Object.entries(overview).map(([metric, value]) => figure('overview', metric, value)),
    figure('score', 'performance_score', platform.performance_score),
    ...platform.score_terms.map(({ key, points }) => figure('score', 'points', points, { name: key })),
    ...platform.daily_events.flatMap(({ date, events, sessions }) => [
      figure('daily_events', 'events', events, { date }),
      figure('daily_events', 'sessions', sessions, { date }),
    ]),
    ...platform.customer_growth.map(({ date, customers }) =>
      figure('customer_growth', 'customers', customers, { date }),
    ),
    ...top_sites.flatMap(({ site_name, domain, visitors, events }) => {
      const name = `${site_name} (${domain})`
      return [figure('top_sites', 'visitors', visitors, { name }), figure('top_sites', 'events', events, { name })]
    }),
  ]
}

async function* read(ctx: RequestContext, days: Chosen): AsyncGenerator<Row[]> {
  yield rowsOf(await getSystemAnalytics(ctx, days))
}

/** All figures of System Analytics, one a row. */
export const systemOverviewExport = defineExport<'system_overview', Row>({
  kind: 'system_overview',
  permission: 'analytics.read',
  title: 'System analytics',
  fileName: 'system-analytics',
  columns: [
    { title: 'Section', name: 'section', type: 'text', value: ({ section }) => section },
    { title: 'Date', name: 'date', type: 'date', value: ({ date }) => date },
    { title: 'Name', name: 'name', type: 'text', width: 2, value: ({ name }) => name },
    { title: 'Metric', name: 'metric', type: 'text', value: ({ metric }) => metric },
    { title: 'Value', name: 'value', type: 'number', value: ({ value }) => value },
  ],
  rows: read,
  subtitle(ctx, days) {
    const { first, last } = daysOf(days, ctx.clock())
    return `${dayText(first)} to ${dayText(last)} (days in UTC)`
  },
})
