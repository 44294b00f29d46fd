import { moneyDrift } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { refreshDrift, refreshJob } from './refresh.ts'
import { dismiss, restore } from './service/dismiss.ts'
import { getDrift, listDrift } from './service/get.ts'

export { createDriftWatch } from './watch.ts'

export const moneyDriftRoutes = routesOf(moneyDrift, {
  listMoneyDrift: ({ ctx, query }) => listDrift(ctx, query),
  getMoneyDrift: async ({ ctx, params }) => ({ drift: await getDrift(ctx, params.id) }),
  dismissMoneyDrift: {
    handle: async ({ ctx, params, body, claim }) => ({ drift: await dismiss(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ drift: await getDrift(ctx, subject) }),
  },
  restoreMoneyDrift: async ({ ctx, params }) => ({ drift: await restore(ctx, params.id) }),
})

export const moneyDriftJobs = [
  job({ ...refreshJob, schedule: '*/5 * * * *', atStart: true, run: (ctx) => refreshDrift(ctx) }),
]
