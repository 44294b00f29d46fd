import { type Permission, permissions } from '@agency/contract/permissions'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import type { Actor, AppContext } from '../src/context.ts'
import { BoundedPool } from '../src/db/limits.ts'
import { createAuthenticate } from '../src/features/auth/index.ts'
import type { ChangeTopic } from '../src/platform/changes.ts'
import { expectDocumented } from './documented.ts'

const roles = {
  super_admin: permissions,
  admin: [
    ...(['customers.read', 'customers.write', 'sites.read', 'sites.write'] as const),
    ...(['billing.read', 'billing.write', 'analytics.read'] as const),
  ],
  support: ['customers.read', 'sites.read', 'support.read', 'support.write'],
  readonly: ['analytics.read'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles
type Headers = Record<string, string>

const actorHeader = 'x-test-actor'

/** The application of a context, in which a test may also act as a role or with some permissions, without a key. */
export function createTestApp(ctx: AppContext): FastifyInstance {
  const authenticate = createAuthenticate(ctx)
  const app = buildApp(ctx, {
    authenticate: (request) => {
      const given = request.headers[actorHeader]
      return typeof given === 'string' ? actorOf(given) : authenticate(request)
    },
  })
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>
  const checked = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const answer = await inject(options)
    expectDocumented(answer)
    return answer
  }
  return Object.assign(app, { inject: checked })
}

function actorOf(text: string): Actor {
  const { role, held } = JSON.parse(text) as { role: string; held: Permission[] }
  return { type: 'user', id: `test-${role}`, name: `Test ${role}`, role, permissions: new Set(held) }
}

/**
 * What a test or a job wrote past the API is told by the database a moment later. News arrive in the order of their
 * transactions, so whoever has heard of a mark has heard of all that was written before it.
 */
function createNews({ pool, changes }: AppContext): () => Promise<void> {
  const { connectionString } = pool.options
  // Of its own: a test may count what its console asks, or keep it from asking.
  const own = new pg.Pool({ connectionString, max: 1, application_name: 'test news' })
  own.on('error', () => {})
  if (pool instanceof BoundedPool) pool.onEnd(() => own.end())
  let marks = 0
  return async () => {
    const mark = `mark ${++marks}` as ChangeTopic
    const isHeard = () => changes.version([mark]) > changes.version([])
    try {
      await own.query(`select pg_notify('changes', $1)`, [mark])
      while (!isHeard()) await own.query('select')
    } catch {
      // Without a database the request has its own answer.
    }
  }
}

export type Caller = {
  /** Sees all that was written before. */
  get(path: string, headers?: Headers): Promise<LightMyRequestResponse>
  post(path: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  patch(path: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  delete(path: string, headers?: Headers): Promise<LightMyRequestResponse>
  /** Any request; the address is taken as it is. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
}

/** `request(ctx).as('super_admin').get('/stripe/payments')`: paths are those of the contract, below `/api`. */
export function request(ctx: AppContext) {
  const app = ctx.instance(createTestApp)
  const callerWith = (headers: Headers, remoteAddress = '127.0.0.1'): Caller => {
    const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown, more: Headers = {}) =>
      app.inject({
        method,
        url: `/api${path}`,
        remoteAddress,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...more },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
    return {
      async get(path, more) {
        await ctx.instance(createNews)()
        return call('GET', path, undefined, more)
      },
      post: (path, body, more) => call('POST', path, body, more),
      patch: (path, body, more) => call('PATCH', path, body, more),
      delete: (path, more) => call('DELETE', path, undefined, more),
      inject: (options) => app.inject({ remoteAddress, ...options, headers: { ...headers, ...options.headers } }),
    }
  }
  return {
    /** As somebody with a role, or with just these permissions. */
    as(who: Role | readonly Permission[]): Caller {
      const [role, held] = typeof who === 'string' ? [who, roles[who]] : ['custom', who]
      return callerWith({ [actorHeader]: JSON.stringify({ role, held }) })
    },
    withKey: (key: string, address?: string): Caller => callerWith({ 'x-admin-key': key }, address),
    anonymous: (address?: string): Caller => callerWith({}, address),
  }
}
