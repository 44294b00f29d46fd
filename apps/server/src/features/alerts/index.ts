import { alerts } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { evaluate, type Follow } from './evaluate.ts'
import { evaluateJob } from './evaluate-soon.ts'
import { findPeople } from './queries/people.ts'
import { acknowledge, assign, resolve, snooze } from './service/change-alert.ts'
import { getDetails, listAlerts } from './service/get-alert.ts'
import { endMaintenance, listWindows, planMaintenance } from './service/maintenance.ts'
import { listRules, updateRule } from './service/rules.ts'
import { tryRule } from './service/try-rule.ts'

export { acknowledgePage } from './acknowledge-page.ts'
export type { Evaluated, Follow } from './evaluate.ts'
export { evaluateSoon } from './evaluate-soon.ts'
export { gatherMs } from './notices.ts'
export { type AlertRow, findByIds, findPersonName, lockAlerts, setIncident } from './queries/alerts.ts'
export { countCustomers, findAlertsBy, moneyFor, type Shown } from './queries/list.ts'
export { resolveAll } from './service/change-alert.ts'
export { shownTo } from './service/get-alert.ts'
export { findMetricRules } from './service/rules.ts'

/** `follow`: whoever keeps the incidents, in the transaction in which alerts changed. */
export const alertRoutes = (follow: Follow) =>
  routesOf(alerts, {
    listAlerts: ({ ctx, query }) => listAlerts(ctx, query),
    getAlert: async ({ ctx, params }) => ({ alert: await getDetails(ctx, params.id) }),
    acknowledgeAlert: async ({ ctx, params }) => ({ alert: await acknowledge(ctx, params.id) }),
    snoozeAlert: async ({ ctx, params, body }) => ({ alert: await snooze(ctx, params.id, body.until) }),
    assignAlert: async ({ ctx, params, body }) => ({ alert: await assign(ctx, params.id, body.user_id) }),
    resolveAlert: async ({ ctx, params, body }) => ({ alert: await resolve(ctx, params.id, body?.reason, follow) }),
    assignees: async ({ ctx }) => ({ people: await findPeople(ctx) }),
    listAlertRules: async ({ ctx }) => ({ rules: await listRules(ctx) }),
    updateAlertRule: async ({ ctx, params, body }) => ({ rule: await updateRule(ctx, params.key, body) }),
    tryAlertRule: async ({ ctx, params, query }) => ({ trial: await tryRule(ctx, params.key, query.threshold) }),
    listMaintenance: async ({ ctx }) => ({ windows: await listWindows(ctx) }),
    createMaintenance: async ({ ctx, body }) => ({ window: await planMaintenance(ctx, body) }),
    endMaintenance: ({ ctx, params }) => endMaintenance(ctx, params.id),
  })

export const alertJobs = (follow: Follow) => [
  job({ ...evaluateJob, schedule: '* * * * *', atStart: true, run: (ctx) => evaluate(ctx, follow) }),
]
