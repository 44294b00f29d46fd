import { featureFlags } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { keepDemoFlags } from './demo.ts'
import { archiveFlag, createFlag, restoreFlag, revertFlag, updateFlag } from './service/change-flags.ts'
import { listFlags, listHistory } from './service/get-flags.ts'
import { cancelRollout, pauseRollout, resumeRollout, startRollout } from './service/rollouts.ts'
import { findAudience, listViewers } from './service/viewers.ts'
import { watchRollouts } from './watch-rollouts.ts'

export { newTroubleOf } from './guard.ts'
export { rolloutRun } from './rollout-run.ts'
export { flagCalls } from './webhook.ts'

export const featureFlagRoutes = routesOf(featureFlags, {
  listFeatureFlags: async ({ ctx }) => ({ flags: await listFlags(ctx) }),
  createFeatureFlag: async ({ ctx, body }) => ({ flag: await createFlag(ctx, body) }),
  updateFeatureFlag: async ({ ctx, params, body }) => ({ flag: await updateFlag(ctx, params.id, body) }),
  archiveFeatureFlag: async ({ ctx, params }) => ({ flag: await archiveFlag(ctx, params.id) }),
  restoreFeatureFlag: async ({ ctx, params }) => ({ flag: await restoreFlag(ctx, params.id) }),
  listFlagHistory: async ({ ctx, params }) => ({ changes: await listHistory(ctx, params.id) }),
  revertFeatureFlag: async ({ ctx, params, body }) => ({ flag: await revertFlag(ctx, params.id, body) }),
  listFlagViewers: ({ ctx, params, query }) => listViewers(ctx, params.id, query),
  findFlagAudience: ({ ctx, query }) => findAudience(ctx, query),
  startFlagRollout: async ({ ctx, params, body }) => ({ flag: await startRollout(ctx, params.id, body) }),
  pauseFlagRollout: async ({ ctx, params }) => ({ flag: await pauseRollout(ctx, params.id) }),
  resumeFlagRollout: async ({ ctx, params }) => ({ flag: await resumeRollout(ctx, params.id) }),
  cancelFlagRollout: async ({ ctx, params }) => ({ flag: await cancelRollout(ctx, params.id) }),
})

export const featureFlagJobs = [
  job({
    ...{ name: 'feature-flags.watch', input: z.object({}), schedule: '* * * * *', policy: 'alone' },
    // The next minute looks again anyway.
    ...{ retries: 0, expireS: 300 },
    run: (ctx, _input, { signal }) => watchRollouts(ctx, signal),
  }),
  job({
    ...{ name: 'feature-flags.demo', input: z.object({}), schedule: '*/5 * * * *', policy: 'alone', atStart: true },
    ...{ retries: 3, expireS: 60 },
    run: (ctx) => keepDemoFlags(ctx),
  }),
]
