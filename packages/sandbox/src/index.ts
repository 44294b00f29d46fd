import { randomBytes } from 'node:crypto'
import { startActivity } from './activity.ts'
import { demoSitesOf } from './cloudflare/demo-sites.ts'
import { startCloudflare } from './cloudflare/index.ts'
import { type Control, createControl } from './control.ts'
import { createFaults, type Faults } from './faults.ts'
import { startHosting } from './hosting/index.ts'
import { rateLimiter } from './http/rate-limit.ts'
import { router } from './http/router.ts'
import { serve } from './http/server.ts'
import type { SandboxAddresses, SandboxOptions } from './options.ts'
import { createRequestLog, type RequestLogEntry } from './request-log.ts'
import { cast } from './seed/cast.ts'
import { seedWorld } from './seed/run.ts'
import { openStore } from './store/store.ts'
import { routes } from './stripe/api/index.ts'
import { pagesOf } from './stripe/pages/pages.ts'
import { createDeliverer } from './webhooks/deliver.ts'
import { createEngine } from './world/engine.ts'

export type { CloudflareAddress, CloudflareOptions } from './cloudflare/index.ts'
export type { Fault, FaultEffect, FaultMatch, Faults, WebhookFaults } from './faults.ts'
export type { HookFault, HostingAddress } from './hosting/index.ts'
export type { SandboxAddresses, SandboxOptions, StripeAddress } from './options.ts'
export { type RemoteControl, remoteControl } from './remote.ts'
export type { RequestLogEntry } from './request-log.ts'
export { type SandboxThread, startSandboxThread } from './thread.ts'

export type Sandbox = SandboxAddresses & {
  faults: Faults
  control: Control
  /** Moves the world's clock ahead and lets everything happen that falls due. */
  advance(ms: number): Promise<void>
  tick(): Promise<void>
  requestLog(): RequestLogEntry[]
  /** Delivers the webhooks that are due; resolves with how many were tried. */
  deliverDue(): Promise<number>
  stop(): Promise<void>
}

const tickMs = 1000
const pruneMs = 3_600_000

function every(ms: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout
  let stopped = false
  const again = () => {
    timer = setTimeout(() => {
      // A database that is away for a moment is asked again at the next beat.
      void work()
        .catch(() => undefined)
        .then(() => (stopped ? undefined : again()))
    }, ms)
    timer.unref()
  }
  again()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** Starts the small world and its HTTP in this process. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const wallNow = options.now ?? Date.now
  const store = await openStore({ databaseUrl: options.databaseUrl, schema: options.schema ?? 'sandbox' })
  try {
    return await start(options, store, wallNow)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function start(
  options: SandboxOptions,
  store: Awaited<ReturnType<typeof openStore>>,
  wallNow: () => number,
): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1'
  const fresh = options.secretKey ?? `sk_test_${randomBytes(24).toString('hex')}`
  const state = await store.init(options.seed ?? 'harbor-and-pine', fresh)
  const secretKey = options.secretKey ?? state.secretKey
  await seedWorld(store, { seed: state.seed, customers: options.size?.customers ?? cast.length, now: wallNow() })
  const engine = await createEngine(store, wallNow)
  await engine.tick()
  await store.prune(Math.floor(engine.now() / 1000))
  const faults = createFaults()
  const log = createRequestLog()
  const cloudflare = await startCloudflare({
    store,
    seed: state.seed,
    customers: options.size?.customers ?? cast.length,
    zones: options.size?.zones ?? 0,
    host,
    faults,
    log,
    now: engine.now,
    wallNow,
    purged: (hosts) => hosting.forget(hosts),
    options: options.cloudflare ?? {},
  })
  const hosting = await startHosting({
    store,
    host,
    sites: demoSitesOf(options.size?.customers ?? cast.length),
    wallNow,
    log,
    served: cloudflare.served,
    ...options.hosting,
  })
  const deliverer = createDeliverer({ store, faults: faults.webhooks, wallNow })
  const control = createControl({
    store,
    engine,
    faults,
    log,
    deliverer,
    wallNow,
    cloudflare,
    outage: (ms) => listening.outage(ms),
  })
  const listening = await serve({
    host,
    port: options.port ?? 0,
    secretKey,
    store,
    faults,
    log,
    find: router(routes),
    allow: rateLimiter(options.rateLimit ?? 25, wallNow),
    now: engine.now,
    wallNow,
    beforeWrite: engine.tick,
    afterWrite: deliverer.kick,
    control: control.handle,
    page: pagesOf(store),
  })
  const stopPruning = every(pruneMs, () => store.prune(Math.floor(engine.now() / 1000)))
  const stopBeat = every(tickMs, async () => {
    await engine.tick()
    deliverer.kick()
  })
  const stopActivity = (options.activity ?? true) ? startActivity({ happen: control.scenario }) : () => undefined
  let stopped: Promise<void> | undefined
  const stop = async () => {
    stopActivity()
    stopBeat()
    stopPruning()
    await Promise.all([listening.close(), cloudflare.close(), hosting.stop()])
    await deliverer.stop()
    await engine.idle()
    await store.close()
  }
  return {
    stripe: { baseUrl: `http://${host}:${listening.port}`, host, port: listening.port, secretKey },
    cloudflare: cloudflare.address,
    hosting: hosting.address,
    faults,
    control,
    advance: engine.advance,
    tick: engine.tick,
    requestLog: log.entries,
    deliverDue: deliverer.run,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}
