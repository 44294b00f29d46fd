import { monitoring } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { forgetOldMonitoring, rollUpMonitoring } from './roll-up.ts'
import { listServices } from './service/list-services.ts'
import { listMonitoredSites } from './service/list-sites.ts'
import { getMetrics, type RulesOfMetrics } from './service/metrics.ts'
import { getOverview } from './service/overview.ts'

export { recountFalseAlarms } from './false-alarms.ts'
export { findRunningAnswers, findSitesDays, findWorstTimes, type SitesDay } from './queries/all-sites.ts'
export type { MinuteValue, SeenService } from './queries/record.ts'
export { findSecondsIn } from './queries/seconds.ts'
export { findSitesSeen } from './queries/uptime.ts'
export { recordMinute, recordServices } from './record.ts'

export { uptimesOf } from './service/uptimes.ts'
export { uptimeOf } from './uptime.ts'

/** `ruleOf`: who knows the alert rules that watch the figures; without it they are shown without a rule. */
export const monitoringRoutes = ({ ruleOf = null }: { ruleOf?: RulesOfMetrics | null } = {}) =>
  routesOf(monitoring, {
    getMonitoringOverview: ({ ctx }) => getOverview(ctx),
    listServices: ({ ctx }) => listServices(ctx),
    listMonitoredSites: ({ ctx, query }) => listMonitoredSites(ctx, query),
    getMetrics: ({ ctx, query }) => getMetrics(ctx, query.range, ruleOf),
  })

export const monitoringJobs = [
  job({
    name: 'monitoring.roll_up',
    input: z.object({}),
    schedule: '9 * * * *',
    policy: 'alone',
    atStart: true,
    run: (ctx) => rollUpMonitoring(ctx),
  }),
  job({
    name: 'monitoring.forget',
    input: z.object({}),
    schedule: '40 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldMonitoring(ctx),
  }),
]
