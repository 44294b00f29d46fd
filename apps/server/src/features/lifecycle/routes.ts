import { customerLifecycle } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { cancelRun, retryRun } from './service/change-run.ts'
import { deleteCustomer, eraseCustomer } from './service/delete-customer.ts'
import { getLifecycle } from './service/get-lifecycle.ts'
import { preview } from './service/preview.ts'
import { restoreCustomer } from './service/restore-customer.ts'
import { suspendCustomer, unsuspendCustomer } from './service/suspend-customer.ts'

export const lifecycleRoutes = routesOf(customerLifecycle, {
  getLifecycle: ({ ctx, params }) => getLifecycle(ctx, params.id),
  previewSuspension: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'suspend', ...query, note: null, notice: query.notice === 'true' }),
  previewUnsuspension: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'unsuspend', notice: query.notice === 'true' }),
  previewDeletion: ({ ctx, params, query }) =>
    preview(ctx, params.id, { kind: 'delete', atStripe: query.at_stripe === 'true' }),
  previewErasure: ({ ctx, params }) => preview(ctx, params.id, { kind: 'erase' }),
  suspendCustomer: ({ ctx, params, body, idempotencyKey }) => suspendCustomer(ctx, params.id, body, idempotencyKey),
  unsuspendCustomer: ({ ctx, params, body, idempotencyKey }) =>
    unsuspendCustomer(ctx, params.id, body.notice, idempotencyKey),
  deleteCustomer: ({ ctx, params, body, idempotencyKey }) => deleteCustomer(ctx, params.id, body, idempotencyKey),
  restoreCustomer: ({ ctx, params }) => restoreCustomer(ctx, params.id),
  eraseCustomer: ({ ctx, params, body, idempotencyKey }) =>
    eraseCustomer(ctx, params.id, body.typed_name, idempotencyKey),
  retryLifecycleRun: ({ ctx, params }) => retryRun(ctx, params.id, params.run),
  cancelLifecycleRun: ({ ctx, params }) => cancelRun(ctx, params.id, params.run),
})
