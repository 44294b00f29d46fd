import { reportSchedules } from '@agency/contract'
import { z } from 'zod'
import { type MountedRoute, routesOf } from '../../platform/http/routes.ts'
import { type Job, job } from '../../platform/job.ts'
import {
  getDelivery,
  listDeliveries,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  sendNow,
} from './service/change-state.ts'
import { getOptions } from './service/options.ts'
import { preview } from './service/preview.ts'
import { createSchedule, updateSchedule } from './service/save-schedule.ts'
import { getShown, listSchedules } from './service/shown.ts'
import { sendDue } from './sweep.ts'

export { dayAt, momentOf } from './due-times.ts'
export { deliveryRun } from './run.ts'
export { unsubscribePage } from './unsubscribe-page.ts'
export { websiteExport } from './website-export.ts'

export const reportScheduleRoutes: MountedRoute[] = routesOf(reportSchedules, {
  listReportSchedules: ({ ctx, query }) => listSchedules(ctx, query.customer_id),
  getScheduleOptions: ({ ctx }) => getOptions(ctx),
  createReportSchedule: {
    handle: async ({ ctx, body, claim }) => ({ schedule: await createSchedule(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ schedule: await getShown(ctx, subject) }),
  },
  updateReportSchedule: async ({ ctx, params, body }) => ({ schedule: await updateSchedule(ctx, params.id, body) }),
  pauseReportSchedule: async ({ ctx, params }) => ({ schedule: await pauseSchedule(ctx, params.id) }),
  resumeReportSchedule: async ({ ctx, params }) => ({ schedule: await resumeSchedule(ctx, params.id) }),
  deleteReportSchedule: ({ ctx, params }) => removeSchedule(ctx, params.id),
  previewReportSchedule: ({ ctx, body }) => preview(ctx, body),
  sendReportSchedule: {
    handle: async ({ ctx, params, claim }) => ({ delivery: await sendNow(ctx, params.id, claim) }),
    replay: async ({ ctx, subject }) => ({ delivery: await getDelivery(ctx, subject) }),
  },
  listReportDeliveries: async ({ ctx, params }) => ({ deliveries: await listDeliveries(ctx, params.id) }),
})

export const reportScheduleJobs: readonly Job[] = [
  job({
    ...{ name: 'report-schedules.due', input: z.object({}), schedule: '* * * * *', policy: 'alone' },
    ...{ retries: 0, expireS: 300, atStart: true },
    run: (ctx, _input, { signal }) => sendDue(ctx, signal),
  }),
]
