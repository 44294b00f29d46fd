import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { type Authenticate, contextOf, refuse } from '../../platform/http/mount.ts'
import { jsonType } from '../../platform/http/send-cached.ts'
import { evaluateAll, evaluateOne, type Failure, readAsking } from './ofrep.ts'
import { createFlagStore, type Known } from './store.ts'

const scope = 'flags.evaluate'
const all = '/ofrep/v1/evaluate/flags'
const one = `${all}/:key`
const mostBodyBytes = 16 * 1024

/** Lets pages read the answer, a refusal too: whether a key is good for them is looked at after that. */
function letRead({ origins }: Known, { headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'origin')
  if (origin === undefined || !origins.has(origin)) return false
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'etag, retry-after')
    .header('cross-origin-resource-policy', 'cross-origin')
  return true
}

/** Feature flags as sites ask for them, over OFREP: with an API key, outside of the API. */
export function flagCalls(ctx: AppContext, authenticate: Authenticate): FastifyPluginAsync {
  const store = ctx.instance(createFlagStore)

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Known> {
    const known = await store.flags()
    letRead(known, request, reply)
    const actor = await authenticate(request)
    if (!actor.scopes?.has(scope)) {
      const path = request.routeOptions.url ?? all
      await refuse(contextOf(ctx, actor, request), { method: 'POST', path }, scope)
    }
    // What lies open in a page is of use there only.
    if (actor.origins && !actor.origins.has(request.headers.origin ?? ''))
      throw new AppError('forbidden', 'This API key is for pages of its allowed origins only')
    return known
  }

  const fail = (reply: FastifyReply, status: number, failure: Failure & { key?: string }) =>
    reply.code(status).header('content-type', jsonType).send(JSON.stringify(failure))

  return async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store')
      done()
    })
    app.addHook('preClose', () => store.write())
    for (const url of [all, one])
      app.route({
        ...{ method: 'OPTIONS', url },
        handler: async (request, reply) => {
          if (!letRead(await store.flags(), request, reply))
            throw new AppError('not_found', 'There is nothing at this address')
          return reply
            .header('access-control-allow-methods', 'POST')
            .header('access-control-allow-headers', 'authorization, content-type, if-none-match, x-admin-key')
            .header('access-control-max-age', '600')
            .code(204)
            .send()
        },
      })
    app.route({
      ...{ method: 'POST', url: all, bodyLimit: mostBodyBytes },
      handler: async (request, reply) => {
        const known = await admit(request, reply)
        const asking = readAsking(request.body)
        if ('errorCode' in asking) return fail(reply, 400, asking)
        const text = evaluateAll(known, await store.subjectOf(asking.key, asking.plans, asking.who))
        store.noteAsked(known.list)
        const etag = `"${hash('sha1', text, 'base64url')}"`
        reply.header('etag', etag)
        if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
        return reply.header('content-type', jsonType).send(text)
      },
    })
    app.route<{ Params: { key: string } }>({
      ...{ method: 'POST', url: one, bodyLimit: mostBodyBytes },
      handler: async (request, reply) => {
        const known = await admit(request, reply)
        const { key } = request.params
        const asking = readAsking(request.body)
        if ('errorCode' in asking) return fail(reply, 400, { key, ...asking })
        const rule = known.byName.get(key)
        if (!rule) return fail(reply, 404, { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: 'There is no such flag' })
        store.noteAsked([rule])
        const { status, text } = evaluateOne(known, rule, await store.subjectOf(asking.key, asking.plans, asking.who))
        return reply.code(status).header('content-type', jsonType).send(text)
      },
    })
  }
}
