import { customerLifecycle } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { cancelRun, retryRun } from './service/change-run.ts'
import { deleteCustomer, eraseCustomer } from './service/delete-customer.ts'
import { answerRun, getLifecycle } from './service/get-lifecycle.ts'
import { preview } from './service/preview.ts'
import { restoreCustomer } from './service/restore-customer.ts'
import { suspendCustomer, unsuspendCustomer } from './service/suspend-customer.ts'

export { lifecycleJobs } from './jobs.ts'
export { lifecycleRun } from './run.ts'
export { eraseAgain } from './steps/erase.ts'

export const lifecycleRoutes = routesOf(customerLifecycle, {
  getLifecycle: ({ ctx, params }) => getLifecycle(ctx, params.id),
  previewSuspension: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'suspend', ...query, note: null, notice: query.notice === 'true' }),
  previewUnsuspension: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'unsuspend', notice: query.notice === 'true' }),
  previewDeletion: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'delete', atStripe: query.at_stripe === 'true' }),
  previewErasure: ({ ctx, params }) => preview(ctx, params.id, { kind: 'erase' }),
  suspendCustomer: {
    handle: ({ ctx, params, body, claim }) => suspendCustomer(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerRun(ctx, subject),
  },
  unsuspendCustomer: {
    handle: ({ ctx, params, body, claim }) => unsuspendCustomer(ctx, params.id, body.notice, claim),
    replay: ({ ctx, subject }) => answerRun(ctx, subject),
  },
  deleteCustomer: {
    handle: ({ ctx, params, body, claim }) => deleteCustomer(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerRun(ctx, subject),
  },
  restoreCustomer: ({ ctx, params }) => restoreCustomer(ctx, params.id),
  eraseCustomer: {
    handle: ({ ctx, params, body, claim }) => eraseCustomer(ctx, params.id, body.typed_name, claim),
    replay: ({ ctx, subject }) => answerRun(ctx, subject),
  },
  retryLifecycleRun: ({ ctx, params }) => retryRun(ctx, params.id, params.run),
  cancelLifecycleRun: ({ ctx, params }) => cancelRun(ctx, params.id, params.run),
})
