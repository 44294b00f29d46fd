import { type Job, job } from '../../platform/job.ts'
import { applyOrTell } from './apply.ts'
import { checkProvider, recomputeMrrDue, tidyMirror } from './check.ts'
import { ensureWebhookEndpoint } from './endpoint.ts'
import { runImport } from './import.ts'
import {
  applyJob,
  checkJob,
  connectJob,
  importJob,
  recomputeJob,
  reconcileJob,
  tidyJob,
  walkJob,
} from './job-settings.ts'
import { reconcileEvents } from './reconcile.ts'
import { walk } from './walk.ts'

export const mirrorJobs: readonly Job[] = [
  job({ ...applyJob, run: (ctx, object, run) => applyOrTell(ctx, object, run) }),
  job({ ...connectJob, run: (ctx, { address }) => ensureWebhookEndpoint(ctx, address) }),
  job({ ...importJob, run: (ctx, _input, { signal }) => runImport(ctx, signal) }),
  job({
    ...reconcileJob,
    run: async (ctx, _input, { signal }) => {
      if (ctx.stripe) await reconcileEvents(ctx, signal)
    },
  }),
  job({
    ...walkJob,
    run: async (ctx, _input, { signal }) => {
      if (ctx.stripe) await walk(ctx, signal)
    },
  }),
  job({ ...checkJob, run: (ctx, _input, { signal }) => checkProvider(ctx, signal) }),
  job({ ...recomputeJob, run: (ctx) => recomputeMrrDue(ctx) }),
  job({ ...tidyJob, run: (ctx) => tidyMirror(ctx) }),
]
