import { queues } from '@agency/contract'
import { type MountedRoute, routesOf } from '../../platform/http/routes.ts'
import type { Catalogue } from './catalogue.ts'
import { deleteJob, editJob, retryJob } from './service/act.ts'
import { actOnBatch, preview } from './service/bulk.ts'
import { getJob, listJobs } from './service/jobs.ts'
import { listCauses, listQueues, listSchedules, pauseQueue, resumeQueue } from './service/overview.ts'
import { listRuns } from './service/runs.ts'

export { catalogueOf } from './catalogue.ts'
export { createPauseKeeper } from './pause-keeper.ts'

/** `known`: the background work of this version. */
export const queueRoutes = (known: () => Catalogue): MountedRoute[] =>
  routesOf(queues, {
    listQueueJobs: ({ ctx, query }) => listJobs(ctx, known(), query),
    getQueueJob: async ({ ctx, params }) => ({ job: await getJob(ctx, known(), params.id) }),
    retryQueueJob: async ({ ctx, params }) => ({ job: await retryJob(ctx, known(), params.id) }),
    editQueueJob: async ({ ctx, params, body }) => ({ job: await editJob(ctx, known(), params.id, body.data) }),
    deleteQueueJob: { handle: ({ ctx, params, claim }) => deleteJob(ctx, known(), params.id, claim) },
    previewQueueAct: ({ ctx, query }) => preview(ctx, known(), query),
    actOnQueueJobs: { handle: ({ ctx, body, claim }) => actOnBatch(ctx, known(), body, claim) },
    listQueues: async ({ ctx }) => ({ queues: await listQueues(ctx, known()) }),
    pauseQueue: async ({ ctx, params }) => ({ queue: await pauseQueue(ctx, known(), params.name) }),
    resumeQueue: async ({ ctx, params }) => ({ queue: await resumeQueue(ctx, known(), params.name) }),
    listQueueSchedules: async ({ ctx }) => ({ schedules: await listSchedules(ctx) }),
    listQueueCauses: ({ ctx }) => listCauses(ctx, known()),
    listQueueRuns: ({ ctx, query }) => listRuns(ctx, query),
  })
