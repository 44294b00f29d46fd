import type { BodyOf, EndpointConfig, ParamsOf, QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, RequestContext } from '../../context.ts'
import type { Claim } from '../idempotency-keys.ts'

export type { FastifyReply as Reply, FastifyRequest as Request } from 'fastify'

/** JSON that the database already made; it is sent as it is. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export const rawJson = (text: string): RawJson => new RawJson(text)

/** An answer that streams: the handler writes to `reply.raw` by itself and says so with this. */
export const streamed = { isStreamed: true } as const

export type Call<C extends EndpointConfig> = {
  ctx: RequestContext
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  request: FastifyRequest
  reply: FastifyReply
  /** Asks again who calls, for an answer that lasts: throws once the key is not good any more. */
  reauthenticate: () => Actor | Promise<Actor>
}

export type Handler<C extends EndpointConfig> = (
  call: Call<C>,
) => Promise<ResponseOf<C> | RawJson | typeof streamed> | ResponseOf<C>

/** Of a call that takes an `Idempotency-Key`. */
type KeyedHandler<C extends EndpointConfig> = {
  /** Acts, and binds the key to what it begins. */
  handle: (call: Call<C> & { claim: Claim | null }) => Promise<ResponseOf<C>>
  /** Answers a repeat by what the key is bound to; left out where the answer itself is kept. */
  replay?: (call: Call<C> & { claim: Claim | null; subject: string }) => Promise<ResponseOf<C>>
}

type EndpointNames<Contract> = { [K in keyof Contract]: Contract[K] extends EndpointConfig ? K : never }[keyof Contract]

/** A handler for every endpoint of a contract; one that is missing or answers another shape does not compile. */
export type Routes<Contract> = {
  [K in EndpointNames<Contract>]: Contract[K] extends EndpointConfig ? HandlerOf<Contract[K]> : never
}

type HandlerOf<C extends EndpointConfig> = C extends { idempotent: true } ? KeyedHandler<C> : Handler<C>
type AnyHandler = Handler<EndpointConfig> | KeyedHandler<EndpointConfig>

export type MountedRoute = { name: string; endpoint: EndpointConfig; handler: AnyHandler }

export function isEndpoint(value: unknown): value is EndpointConfig {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'permission' in value
}

/** Pairs the endpoints of a contract with their handlers. */
export function routesOf<Contract extends object>(contract: Contract, routes: Routes<Contract>): MountedRoute[] {
  const handlers = routes as unknown as Record<string, AnyHandler>
  return Object.entries(contract).flatMap(([name, endpoint]) => {
    if (!isEndpoint(endpoint)) return []
    const handler = handlers[name]
    if (!handler) throw new Error(`No handler for ${name}`)
    return [{ name, endpoint, handler }]
  })
}
