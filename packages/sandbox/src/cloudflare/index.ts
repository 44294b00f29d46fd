import { randomBytes } from 'node:crypto'
import type { Faults } from '../faults.ts'
import type { RequestLog } from '../request-log.ts'
import { keep } from '../store/kept.ts'
import type { Store } from '../store/store.ts'
import { routes } from './api/index.ts'
import type { Account } from './http/route.ts'
import { apiBase, serveCloudflare } from './http/server.ts'
import { cloudflareScenarios } from './scenarios.ts'
import { hexId } from './seed/ids.ts'
import { seedCloudflare } from './seed/run.ts'
import { type ServedBuild, servedBuild } from './served-build.ts'
import { type Steering, type SteeringChange, steer, usualSteering } from './steering.ts'
import { inTransaction } from './transaction.ts'

export type CloudflareAddress = { baseUrl: string; apiToken: string; accountId: string }

export type CloudflareOptions = SteeringChange & {
  /** Without one the port of last time, or any. */
  port?: number
  apiToken?: string
}

export type CloudflareParts = {
  store: Store
  seed: string
  customers: number
  zones: number
  host: string
  faults: Faults
  log: RequestLog
  /** World time in milliseconds, and the time on the wall. */
  now: () => number
  wallNow: () => number
  purged: (hosts: string[]) => void
  options: CloudflareOptions
}

export type Cloudflare = {
  address: CloudflareAddress
  steering: Steering
  /** Makes something happen; undefined when it knows nothing of this name. */
  scenario(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> | undefined
  /** What Pages serves under a host name now; null when no project has this domain. */
  served(host: string): Promise<ServedBuild | null>
  outage(ms: number): Promise<void>
  close(): Promise<void>
}

async function accountOf({ store, seed, options }: CloudflareParts): Promise<Account> {
  const token = options.apiToken ?? (await keep(store, 'cloudflare token', () => randomBytes(30).toString('base64url')))
  return { id: hexId(seed, 'account'), name: 'Harbor & Pine', token, tokenId: hexId(seed, 'token'), seed }
}

/** Serves what Cloudflare knows of the world, on a port of its own. */
export async function startCloudflare(parts: CloudflareParts): Promise<Cloudflare> {
  const { store, host, seed, customers, zones, options } = parts
  const account = await accountOf(parts)
  const { id, name } = account
  await seedCloudflare(store, { seed, customers, zones, now: parts.now(), account: { id, name } })
  const steering = usualSteering()
  const { port: wanted, apiToken: _token, ...change } = options
  steer(steering, change)
  const lastTime = wanted ?? (await lastPort(store))
  const listening = await serveCloudflare({ ...parts, port: lastTime, routes, account, steering })
  await keep(store, 'cloudflare port', () => listening.port)
  return {
    address: { baseUrl: `http://${host}:${listening.port}${apiBase}`, apiToken: account.token, accountId: id },
    steering,
    scenario: (name, input) =>
      cloudflareScenarios[name] &&
      inTransaction(store, (db) => {
        const scene = { db, schema: store.schema, now: parts.now(), account, steering }
        return cloudflareScenarios[name]!(scene, input)
      }),
    served: (host) => servedBuild({ db: store.pool, schema: store.schema, now: parts.now() }, host),
    outage: listening.outage,
    close: listening.close,
  }
}

async function lastPort({ pool, schema }: Store): Promise<number> {
  const { rows } = await pool.query<{ value: number }>(
    `select value from ${schema}.kept where name = 'cloudflare port'`,
  )
  return rows[0]?.value ?? 0
}
