import type { SessionStage } from '@agency/contract/auth'
import type { KeyScope, Permission } from '@agency/contract/permissions'
import type { Kysely, Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { Config } from './config.ts'
import type { DB } from './db/types.ts'
import type { CloudflareGateway } from './integrations/cloudflare/gateway.ts'
import type { StripeGateway } from './integrations/stripe/gateway.ts'
import type { Changes } from './platform/changes.ts'
import { createInstances, type Instances } from './platform/instances.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Logger } from './platform/logger.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import type { DemoHosts } from './platform/probe/demo-hosts.ts'
import type { Tracer } from './platform/tracing.ts'

export type Actor = {
  type: 'admin_key' | 'user' | 'api_key' | 'job' | 'webhook' | 'anonymous'
  id: string
  name: string
  role: string
  permissions: ReadonlySet<Permission>
  /** What an API key may besides. */
  scopes?: ReadonlySet<KeyScope>
  /** Of an API key that lies open in pages: where these come from. */
  origins?: ReadonlySet<string>
  /** Set when the call came with a session key. */
  sessionId?: string
  /** How far the sign-in is; anything but `open`, or nothing, may only go on with it. */
  stage?: SessionStage
}

export type DemoFlags = {
  where(): Promise<string | null>
  set(access: { url: string; key: string } | null): Promise<void>
}

export type AppContext = {
  /** What is in force: the environment, and for the rest what was set in the console. */
  config: Config
  /** What the environment alone says. */
  environment: Config
  db: Kysely<DB>
  /** What `db` draws its connections from; for cursors, and to see how busy it is. */
  pool: Pool
  /** The same database with connections and time limits of its own: work that nobody waits for keeps nobody waiting. */
  jobDatabase: Pick<AppContext, 'db' | 'pool'>
  log: Logger
  /** Now, in milliseconds; replaced in tests. */
  clock: () => number
  /** null when no provider is configured and no sandbox runs. */
  stripe: StripeGateway | null
  cloudflare: CloudflareGateway | null
  /** null unless the sandbox runs. */
  demoHosts: DemoHosts | null
  /** Asks the sandbox which sites it serves, and for whom; null unless it runs. */
  demoSites: (() => Promise<unknown>) | null
  /** Where those sites ask for feature flags; null unless it runs. */
  demoFlags: DemoFlags | null
  jobs: Jobs
  changes: Changes
  metrics: Metrics
  /** null unless somebody collects traces. */
  tracer: Tracer | null
  instance: Instances<AppContext>
  /** For whoever keeps the settings: what is in force from the next look on. */
  replace(parts: Partial<Live>): void
}

/** What a changed setting replaces while the application runs. */
export type Live = Pick<AppContext, 'config' | 'stripe' | 'cloudflare' | 'demoHosts' | 'demoSites' | 'demoFlags'>

export type Providers = Omit<Live, 'config'>

export const notConnected: Providers = {
  stripe: null,
  cloudflare: null,
  demoHosts: null,
  demoSites: null,
  demoFlags: null,
}

export type ContextParts = Pick<AppContext, 'log' | 'jobs' | 'changes'> & {
  /** Providers that are left out are not connected. */
  live: Pick<Live, 'config'> & Partial<Live>
  /** Left out where nothing but the environment was asked. */
  environment?: Config
  database: { kysely: Kysely<DB>; pool: Pool }
  /** Left out, jobs share the connections of everybody. */
  jobDatabase?: { kysely: Kysely<DB>; pool: Pool }
  clock?: () => number
  tracer?: Tracer | null
}

/** A copy of it, such as every request makes, keeps what was in force at that moment. */
export function createContext(options: ContextParts): AppContext {
  const {
    live: given,
    environment = given.config,
    database,
    jobDatabase = database,
    clock = Date.now,
    tracer = null,
    ...parts
  } = options
  const live: Live = { ...notConnected, ...given }
  const ctx: AppContext = {
    ...parts,
    environment,
    get config() {
      return live.config
    },
    get stripe() {
      return live.stripe
    },
    get cloudflare() {
      return live.cloudflare
    },
    get demoHosts() {
      return live.demoHosts
    },
    get demoSites() {
      return live.demoSites
    },
    get demoFlags() {
      return live.demoFlags
    },
    db: database.kysely,
    pool: database.pool,
    jobDatabase: { db: jobDatabase.kysely, pool: jobDatabase.pool },
    clock,
    metrics: createMetrics(clock),
    tracer,
    instance: createInstances(() => ctx),
    replace: (replacement) => void Object.assign(live, replacement),
  }
  return ctx
}

/** What a call carries on top of the application: who makes it and from where. */
export type RequestContext = AppContext & {
  actor: Actor
  requestId: string
  address: string | null
  /** For whom a proxy that is not trusted says that it asks; never more than a claim. */
  claimedAddress?: string | null
  userAgent: string | null
}

/** A request context whose `db` is one transaction. Inside, nothing but this may be used. */
export type TransactionContext = InTransaction<RequestContext>

/** As much of a context as an audit entry needs: who does it, when and from where. */
export type AuditContext = Pick<RequestContext, 'clock' | 'actor' | 'requestId' | 'address' | 'userAgent'>

type InTransaction<Context> = Omit<Context, 'db'> & { db: Transaction<DB> }

/** Runs `work` in one transaction: all of its writes are kept, or none. Joins the transaction that is already open. */
export function inTransaction<T, Context extends { db: Kysely<DB> }>(
  ctx: Context,
  work: (tx: InTransaction<Context>) => Promise<T>,
): Promise<T> {
  // A transaction is a database whose `isTransaction` says so.
  if (ctx.db.isTransaction) return work(ctx as unknown as InTransaction<Context>)
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }))
}

const nobody: ReadonlySet<Permission> = new Set()

/** The context of work that no request asked for: a job or a webhook acts under its own name. */
export function asSystem<Context extends Pick<AppContext, 'clock'>>(
  ctx: Context,
  type: 'job' | 'webhook',
  name: string,
): Context & AuditContext {
  const actor: Actor = { type, id: name, name, role: type, permissions: nobody }
  return { ...ctx, actor, requestId: `${type}:${name}`, address: null, userAgent: null }
}
