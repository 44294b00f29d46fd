import { deployments } from '@agency/contract'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { findDeployments } from './queries/deployments.ts'
import { cancelDeployment } from './service/cancel-deployment.ts'
import { getDeployment } from './service/get-deployment.ts'
import { downloadLog, findInLog, readLog, streamLog } from './service/log.ts'
import { requestDeployment } from './service/request.ts'
import { retryDeployment } from './service/retry-deployment.ts'
import { previewRollback, rollBack } from './service/rollback.ts'

export const deploymentRoutes = routesOf(deployments, {
  listDeployments: async ({ ctx, query }) => rawJson(await findDeployments(ctx.pool, query)),
  getDeployment: async ({ ctx, params }) => ({ deployment: await getDeployment(ctx, params.id) }),
  createDeployment: ({ ctx, params, body, idempotencyKey }) =>
    requestDeployment(ctx, params.id, { kind: 'deploy', reason: body?.reason ?? null }, idempotencyKey),
  retryDeployment: ({ ctx, params, body, idempotencyKey }) =>
    retryDeployment(ctx, params.id, body?.reason ?? null, idempotencyKey),
  cancelDeployment: ({ ctx, params }) => cancelDeployment(ctx, params.id),
  previewRollback: async ({ ctx, params, query }) => ({ preview: await previewRollback(ctx, params.id, query.to) }),
  rollbackSite: ({ ctx, params, body, idempotencyKey }) => rollBack(ctx, params.id, body, idempotencyKey),
  readDeploymentLog: ({ ctx, params, query }) => readLog(ctx, params.id, query),
  findLogMatches: ({ ctx, params, query }) => findInLog(ctx, params.id, query.search),
  streamDeploymentLog: (call) => streamLog(call),
  downloadDeploymentLog: ({ ctx, params, reply }) => downloadLog(ctx, params.id, reply),
})
