import { apiKeys } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { remindOfEnds } from './remind.ts'
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey, updateApiKey } from './service.ts'

export { createApiKey, revokeApiKey } from './service.ts'

export const apiKeyRoutes = routesOf(apiKeys, {
  listApiKeys: ({ ctx }) => listApiKeys(ctx),
  createApiKey: ({ ctx, body }) => createApiKey(ctx, body),
  updateApiKey: ({ ctx, params, body }) => updateApiKey(ctx, params.id, body),
  rollApiKey: ({ ctx, params, body }) => rollApiKey(ctx, params.id, body.overlap_hours),
  revokeApiKey: ({ ctx, params }) => revokeApiKey(ctx, params.id),
})

export const apiKeyJobs = [
  job({
    name: 'api-keys.remind',
    input: z.object({}),
    schedule: '10 6 * * *',
    policy: 'alone',
    run: (ctx) => remindOfEnds(ctx),
  }),
]
