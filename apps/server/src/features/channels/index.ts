import { channels } from '@agency/contract'
import { z } from 'zod'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { deliver, tidyDeliveries } from './deliver.ts'
import { sendDigests } from './digest.ts'
import { deliverJob } from './job-settings.ts'
import { findDeliveries } from './queries/deliveries.ts'
import { addChannel, changeChannel, listChannels, removeChannel, testChannel } from './service/channels.ts'
import { previewRoute } from './service/preview.ts'
import { addRoute, changeRoute, listRoutes, removeRoute } from './service/routes.ts'

export { type AcknowledgeLink, readLink, spendLink } from './acknowledge-links.ts'
export { deleteLinked as forgetDeliveries } from './queries/deliveries.ts'
export { sendToChannels } from './send-to-channels.ts'
export { ensurePushChannel } from './service/channels.ts'

export const channelRoutes = routesOf(channels, {
  listChannels: async ({ ctx }) => ({ channels: await listChannels(ctx) }),
  createChannel: ({ ctx, body }) => addChannel(ctx, body),
  updateChannel: async ({ ctx, params, body }) => ({ channel: await changeChannel(ctx, params.id, body) }),
  deleteChannel: ({ ctx, params }) => removeChannel(ctx, params.id),
  testChannel: async ({ ctx, params }) => ({ delivery: await testChannel(ctx, params.id) }),
  listDeliveries: async ({ ctx, query }) => rawJson(await findDeliveries(ctx.pool, query)),
  listRoutes: async ({ ctx }) => ({ routes: await listRoutes(ctx) }),
  createRoute: async ({ ctx, body }) => ({ route: await addRoute(ctx, body) }),
  updateRoute: async ({ ctx, params, body }) => ({ route: await changeRoute(ctx, params.id, body) }),
  deleteRoute: ({ ctx, params }) => removeRoute(ctx, params.id),
  previewRoute: async ({ ctx, query }) => ({ preview: await previewRoute(ctx, query) }),
})

export const channelJobs = [
  job({ ...deliverJob, run: (ctx, { id }, run) => deliver(ctx, id, run) }),
  job({
    name: 'channels.digest',
    input: z.object({}),
    schedule: '* * * * *',
    policy: 'alone',
    // The next minute tries again anyway.
    retries: 0,
    run: (ctx) => sendDigests(ctx),
  }),
  job({
    name: 'channels.tidy',
    input: z.object({}),
    schedule: '45 * * * *',
    policy: 'alone',
    retries: 1,
    run: (ctx) => tidyDeliveries(ctx),
  }),
]
