import { job } from '../../platform/job.ts'
import { type Handlers, resolveActions } from './money-actions/resolve.ts'
import { resolveSettings } from './money-actions/resolve-settings.ts'

/** One job resolves the money actions of all features; each brings the handlers of its kinds. */
export const billingJobs = (handlers: Handlers) => [
  job({ ...resolveSettings, atStart: true, run: (ctx, _input, run) => resolveActions(ctx, run, handlers) }),
]
