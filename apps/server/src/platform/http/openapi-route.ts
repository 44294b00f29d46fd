import { endpoint } from '@agency/contract/endpoint'
import { z } from 'zod'
import type { AppContext } from '../../context.ts'
import { type MountedRoute, rawJson } from './routes.ts'

/** The description of the API, made when it is first asked for. */
export const openApiRoute: MountedRoute = {
  name: 'getOpenApi',
  endpoint: endpoint({
    method: 'GET',
    path: '/openapi.json',
    permission: 'any',
    summary: 'This API, described as OpenAPI 3.1',
    response: z.unknown(),
  }),
  handler: async ({ ctx }) => rawJson(await ctx.instance(makeDescription)),
}

async function makeDescription({ config }: AppContext): Promise<string> {
  const { describeApi } = await import('./openapi.ts')
  return JSON.stringify(describeApi(config.version))
}
