import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'
import { failJob, jobsOf, makeJob } from './jobs.ts'

/** One call of every endpoint of the queues that changes something, ready to succeed. */
export function queueSamples(context: () => AppContext, root: () => Caller) {
  async function failed(): Promise<string> {
    const ctx = context()
    const jobs = await jobsOf(ctx)
    try {
      const id = await makeJob({ ...ctx, jobs }, 'exports.make', { id: randomUUID() })
      await failJob(ctx, id, 'It failed')
      return id
    } finally {
      await jobs.close()
    }
  }
  const onFailed = (act: string, body: object) => async () => ({
    caller: root(),
    path: `/admin/queues/jobs/${await failed()}/${act}`,
    body,
  })
  return {
    retryQueueJob: onFailed('retry', {}),
    editQueueJob: onFailed('edit', { data: { id: randomUUID() } }),
    deleteQueueJob: async () => ({ caller: root(), path: `/admin/queues/jobs/${await failed()}` }),
    actOnQueueJobs: async () => {
      await failed()
      const filters = { status: 'failed', queue: 'exports.make' }
      return {
        caller: root(),
        path: '/admin/queues/bulk',
        body: { act: 'retry', filters, until: new Date(Date.now() + 60_000).toISOString() },
      }
    },
    pauseQueue: async () => {
      await failed()
      await root().post('/admin/queues/exports.make/resume', {})
      return { caller: root(), path: '/admin/queues/exports.make/pause', body: {} }
    },
    resumeQueue: async () => {
      await failed()
      await root().post('/admin/queues/exports.make/pause', {})
      return { caller: root(), path: '/admin/queues/exports.make/resume', body: {} }
    },
  }
}
