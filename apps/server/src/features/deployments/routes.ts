import { deploymentRings, deployments } from '@agency/contract'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { findDeployments } from './queries/deployments.ts'
import { cancelRings, continueRings, getRollout, listRollouts, startRings } from './rings/service.ts'
import { cancelDeployment } from './service/cancel-deployment.ts'
import { getDeployment } from './service/get-deployment.ts'
import { downloadLog, findInLog, readLog, streamLog } from './service/log.ts'
import { answerRequest, requestDeployment } from './service/request.ts'
import { retryDeployment } from './service/retry-deployment.ts'
import { previewRollback, rollBack } from './service/rollback.ts'

export const ringRoutes = routesOf(deploymentRings, {
  listRingRollouts: async ({ ctx }) => ({ rollouts: await listRollouts(ctx) }),
  startRingRollout: {
    handle: async ({ ctx, body, claim }) => ({ rollout: await startRings(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ rollout: await getRollout(ctx, subject) }),
  },
  continueRingRollout: async ({ ctx, params }) => ({ rollout: await continueRings(ctx, params.id) }),
  cancelRingRollout: async ({ ctx, params }) => ({ rollout: await cancelRings(ctx, params.id) }),
})

export const deploymentRoutes = routesOf(deployments, {
  listDeployments: async ({ ctx, query }) => rawJson(await findDeployments(ctx.pool, query)),
  getDeployment: async ({ ctx, params }) => ({ deployment: await getDeployment(ctx, params.id) }),
  createDeployment: {
    handle: ({ ctx, params, body, claim }) =>
      requestDeployment(ctx, params.id, { kind: 'deploy', reason: body?.reason ?? null }, claim),
    replay: ({ ctx, subject }) => answerRequest(ctx, subject),
  },
  retryDeployment: {
    handle: ({ ctx, params, body, claim }) => retryDeployment(ctx, params.id, body?.reason ?? null, claim),
    replay: ({ ctx, subject }) => answerRequest(ctx, subject),
  },
  cancelDeployment: {
    handle: ({ ctx, params, claim }) => cancelDeployment(ctx, params.id, claim),
    replay: async ({ ctx, subject }) => ({ deployment: await getDeployment(ctx, subject) }),
  },
  previewRollback: async ({ ctx, params, query }) => ({ preview: await previewRollback(ctx, params.id, query.to) }),
  rollbackSite: {
    handle: ({ ctx, params, body, claim }) => rollBack(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerRequest(ctx, subject),
  },
  readDeploymentLog: ({ ctx, params, query }) => readLog(ctx, params.id, query),
  findLogMatches: ({ ctx, params, query }) => findInLog(ctx, params.id, query.search),
  streamDeploymentLog: (call) => streamLog(call),
  downloadDeploymentLog: ({ ctx, params, reply }) => downloadLog(ctx, params.id, reply),
})
