import { isMainThread } from 'node:worker_threads'
import type { Cloudflare } from './cloudflare/index.ts'
import { cloudflareScenarios } from './cloudflare/scenarios.ts'
import type { ServedBuild } from './cloudflare/served-build.ts'
import { steer } from './cloudflare/steering.ts'
import type { FaultEffect, FaultMatch, Faults, Provider, WebhookFaults } from './faults.ts'
import type { RequestLog } from './request-log.ts'
import { type ScenarioInput, scenarios } from './scenarios.ts'
import type { Store } from './store/store.ts'
import type { Deliverer } from './webhooks/deliver.ts'
import type { Engine } from './world/engine.ts'

export type ControlParts = {
  store: Store
  engine: Engine
  faults: Faults
  log: RequestLog
  deliverer: Deliverer
  wallNow: () => number
  cloudflare: Cloudflare
  outage: (ms: number) => Promise<void>
}
export type Control = {
  /** World time in milliseconds. */
  now(): number
  /** Makes something happen in the world now, by its name. */
  scenario(name: string, input?: ScenarioInput): Promise<Record<string, unknown>>
  /** What Pages serves under a host name. */
  served(host: string): Promise<ServedBuild | null>
  /** All objects of a kind, oldest first, as they are stored. */
  dump(kind: string): Promise<Record<string, unknown>[]>
  /** Gives a webhook endpoint a new secret; the old one signs along until it expires. */
  rollSecret(endpoint: string, expiresInMs: number): Promise<string>
  handle(method: string, path: string, body: string): Promise<{ status: number; body: unknown } | undefined>
}

type Handler = (
  input: Record<string, unknown>,
  parts: ControlParts,
  control: Omit<Control, 'handle'>,
  path: URL,
) => Promise<unknown>

const last = (url: URL) => decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
const answerLeavesMs = 20
const ms = (input: Record<string, unknown>) => {
  const value = input['ms']
  if (typeof value !== 'number') throw new Error("'ms' is needed")
  return value
}

const scenarioNames = [...Object.keys(scenarios), ...Object.keys(cloudflareScenarios)]

async function redeliver(input: Record<string, unknown>, { store, deliverer, wallNow }: ControlParts) {
  const { rowCount } = await store.pool.query(
    `insert into ${store.schema}.deliveries (event, endpoint, next_at)
     select $1, id, $2 from ${store.schema}.objects
     where kind = 'webhook_endpoint' and not deleted and ($3::text is null or id = $3)`,
    [input['event'], wallNow(), input['endpoint'] ?? null],
  )
  deliverer.kick()
  return { queued: rowCount }
}

async function deliveries(_input: Record<string, unknown>, { store }: ControlParts, _control: unknown, url: URL) {
  const { rows } = await store.pool.query(
    `select id, event, endpoint, state, attempts, next_at as "nextAt", last_status as "lastStatus",
       last_error as "lastError" from ${store.schema}.deliveries
     where ($1::text is null or state = $1) order by id desc limit 1000`,
    [url.searchParams.get('state')],
  )
  return rows
}

async function status(_input: Record<string, unknown>, { store, engine, faults }: ControlParts) {
  const { rows } = await store.pool.query<{ kind: string; count: number }>(
    `select kind, count(*) as count from ${store.schema}.objects where not deleted group by kind order by kind`,
  )
  return {
    now: engine.now(),
    objects: Object.fromEntries(rows.map(({ kind, count }) => [kind, count])),
    faults: faults.list(),
    webhooks: faults.webhooks,
    scenarios: scenarioNames,
  }
}

const handlers: [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^\/status$/, status],
  ['GET', /^\/requests$/, async (_input, { log }) => log.entries()],
  ['DELETE', /^\/requests$/, async (_input, { log }) => log.clear()],
  ['GET', /^\/faults$/, async (_input, { faults }) => faults.list()],
  [
    'POST',
    /^\/faults$/,
    async (input, { faults }) => {
      type Told = { provider?: Provider; match?: FaultMatch; times?: number | null } & FaultEffect
      const { provider = 'stripe', match, times, ...effect } = input as Told
      if (match === undefined) throw new Error("'match' is needed")
      return { id: faults.next(provider, match, effect, times) }
    },
  ],
  ['DELETE', /^\/faults$/, async (_input, { faults }) => faults.clear()],
  ['DELETE', /^\/faults\/\d+$/, async (_input, { faults }, _control, url) => faults.clear(Number(last(url)))],
  [
    'POST',
    /^\/webhooks$/,
    async (input, { faults, deliverer }) => {
      Object.assign(faults.webhooks, input as Partial<WebhookFaults>)
      deliverer.kick()
      return faults.webhooks
    },
  ],
  [
    'DELETE',
    /^\/webhooks$/,
    async (_input, { faults, deliverer }) => {
      faults.resetWebhooks()
      deliverer.kick()
      return faults.webhooks
    },
  ],
  ['POST', /^\/advance$/, async (input, { engine }) => void (await engine.advance(ms(input)))],
  ['POST', /^\/tick$/, async (_input, { engine }) => void (await engine.tick())],
  ['POST', /^\/deliver$/, async (_input, { deliverer }) => ({ tried: await deliverer.run() })],
  ['POST', /^\/redeliver$/, redeliver],
  ['GET', /^\/deliveries$/, deliveries],
  [
    'POST',
    /^\/outage$/,
    async (input, { outage: ofStripe, cloudflare }) => {
      const length = ms(input)
      const outage = input['provider'] === 'cloudflare' ? cloudflare.outage : ofStripe
      // The answer to this request leaves first. A port that someone else took meanwhile stays theirs.
      setTimeout(() => void outage(length).catch(() => undefined), answerLeavesMs)
    },
  ],
  [
    'POST',
    /^\/crash$/,
    async () => {
      if (isMainThread) throw new Error('Only a sandbox in a thread of its own can crash')
      setTimeout(() => process.exit(1), answerLeavesMs)
    },
  ],
  ['POST', /^\/cloudflare$/, async (input, { cloudflare }) => void steer(cloudflare.steering, input)],
  ['GET', /^\/dump\/[a-z_.]+$/, async (_input, _parts, control, url) => await control.dump(last(url))],
  ['POST', /^\/scenarios\/[a-z_]+$/, async (input, _parts, control, url) => await control.scenario(last(url), input)],
  [
    'POST',
    /^\/webhook_endpoints\/[^/]+\/roll$/,
    async (input, _parts, control, url) => {
      const id = url.pathname.split('/')[2] ?? ''
      const expires = input['expiresInMs']
      return { secret: await control.rollSecret(id, typeof expires === 'number' ? expires : 86_400_000) }
    },
  ],
]

export function createControl(parts: ControlParts): Control {
  const { store, engine, deliverer, wallNow } = parts
  const write = async <T>(work: Parameters<typeof store.write<T>>[1]) => {
    await engine.tick()
    const result = await store.write({ now: Math.floor(engine.now() / 1000), wallNow: wallNow() }, work)
    deliverer.kick()
    return result
  }
  const control: Omit<Control, 'handle'> = {
    now: engine.now,
    served: parts.cloudflare.served,
    async scenario(name, input = {}) {
      const scenario = scenarios[name]
      if (!scenario) {
        const ofCloudflare = parts.cloudflare.scenario(name, input)
        if (ofCloudflare) return await ofCloudflare
        throw new Error(`There is no scenario '${name}'; there are: ${scenarioNames.join(', ')}`)
      }
      return await write((world) => scenario(world, input))
    },
    async dump(kind) {
      const { rows } = await store.pool.query<{ doc: Record<string, unknown> }>(
        `select doc from ${store.schema}.objects where kind = $1 and not deleted order by created, ord`,
        [kind],
      )
      return rows.map(({ doc }) => doc)
    },
    rollSecret: (endpoint, expiresInMs) =>
      write(async (world) => {
        const { secrets = [] } = await world.priv('webhook_endpoint', endpoint)
        const secret = `whsec_${world.ids.text(32)}`
        const expiresAt = wallNow() + expiresInMs
        const old = secrets.map((each) => ({ ...each, expiresAt: Math.min(each.expiresAt ?? expiresAt, expiresAt) }))
        await world.setPriv('webhook_endpoint', endpoint, { secrets: [{ secret, expiresAt: null }, ...old] })
        return secret
      }),
  }
  return {
    ...control,
    async handle(method, path, body) {
      const url = new URL(path, 'http://sandbox')
      const found = handlers.find(([verb, pattern]) => verb === method && pattern.test(url.pathname))
      if (!found) return undefined
      const input = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
      return { status: 200, body: (await found[2](input, parts, control, url)) ?? { ok: true } }
    },
  }
}
