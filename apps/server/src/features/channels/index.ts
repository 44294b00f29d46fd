import { channels } from '@agency/contract'
import { z } from 'zod'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { deliver, deliverJob, tidyDeliveries } from './deliver.ts'
import { findDeliveries } from './queries/deliveries.ts'
import { addChannel, changeChannel, listChannels, removeChannel, testChannel } from './service.ts'

export { sendToChannels } from './deliver.ts'

export const channelRoutes = routesOf(channels, {
  listChannels: async ({ ctx }) => ({ channels: await listChannels(ctx) }),
  createChannel: ({ ctx, body }) => addChannel(ctx, body),
  updateChannel: async ({ ctx, params, body }) => ({ channel: await changeChannel(ctx, params.id, body) }),
  deleteChannel: ({ ctx, params }) => removeChannel(ctx, params.id),
  testChannel: async ({ ctx, params }) => ({ delivery: await testChannel(ctx, params.id) }),
  listDeliveries: async ({ ctx, query }) => rawJson(await findDeliveries(ctx.pool, query)),
})

export const channelJobs = [
  job({ ...deliverJob, run: (ctx, { id }, run) => deliver(ctx, id, run) }),
  job({
    name: 'channels.tidy',
    input: z.object({}),
    schedule: '45 * * * *',
    policy: 'alone',
    retries: 1,
    run: (ctx) => tidyDeliveries(ctx),
  }),
]
