import { createHmac } from 'node:crypto'
import type { WebhookFaults } from '../faults.ts'
import type { Store } from '../store/store.ts'
import type { Private, StripeEvent, WebhookEndpoint } from '../stripe/types.ts'

/** One `v1` for each secret that is valid: during a roll the old one signs too. */
function signature(secrets: string[], timestamp: number, payload: string): string {
  const signed = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${payload}`, 'utf8').digest('hex')}`,
  )
  return [`t=${timestamp}`, ...signed].join(',')
}

type Job = {
  id: number
  attempts: number
  event: StripeEvent
  endpoint: WebhookEndpoint
  secrets: NonNullable<Private['secrets']>
}
export type Deliverer = {
  /** Delivers what is due now; resolves with how many deliveries were tried. */
  run(): Promise<number>
  /** Looks again soon, since something was queued. */
  kick(): void
  stop(): Promise<void>
}
type Options = { store: Store; faults: WebhookFaults; wallNow: () => number; timeoutMs?: number }

/** An end of the sandbox ends what is on its way; it is tried again by the next one. */
type Running = Options & { stopping: AbortSignal }

const second = 1000
const backOff = [1, 5, 30, 120, 600, 3600, 10_800, 21_600, 43_200, 43_200, 43_200, 43_200, 43_200].map(
  (seconds) => seconds * second,
)
const batchSize = 20
/** A claimed delivery is tried again by another process if its holder dies. */
const claimMs = 60 * second
/** The beat of the world asks each second; at the same moment the two would need a connection each. */
const pollMs = 2 * second

function shuffled<T>(values: T[]): T[] {
  const copy = [...values]
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    ;[copy[index], copy[other]] = [copy[other]!, copy[index]!]
  }
  return copy
}

async function claim({ store, wallNow, faults }: Options): Promise<Job[]> {
  const now = wallNow()
  const { rows } = await store.pool.query<Job>(
    `with due as (
       select id from ${store.schema}.deliveries
       where state = 'pending' and next_at <= $1 order by next_at, id limit ${batchSize} for update skip locked
     ), claimed as (
       update ${store.schema}.deliveries set next_at = $2 from due where deliveries.id = due.id
       returning deliveries.id, deliveries.event, deliveries.endpoint, deliveries.attempts
     )
     select claimed.id, claimed.attempts, event.doc as event, endpoint.doc as endpoint,
       coalesce(endpoint.priv->'secrets', '[]') as secrets
     from claimed
     join ${store.schema}.objects event on event.kind = 'event' and event.id = claimed.event
     join ${store.schema}.objects endpoint on endpoint.kind = 'webhook_endpoint' and endpoint.id = claimed.endpoint
     where not endpoint.deleted and endpoint.doc->>'status' = 'enabled'
     order by claimed.id`,
    [now, now + claimMs],
  )
  return faults.shuffle ? shuffled(rows) : rows
}

async function post(job: Job, options: Running): Promise<{ status: number | null; error: string | null }> {
  const { api_version } = job.endpoint
  const payload = JSON.stringify(api_version === null ? job.event : { ...job.event, api_version })
  const now = options.wallNow()
  const secrets = job.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  // The receiver checks the age against its own clock, so this is the time on the wall, not the world's.
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const response = await fetch(job.endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signature(
          secrets.map(({ secret }) => secret),
          timestamp,
          payload,
        ),
      },
      body: payload,
      signal: AbortSignal.any([AbortSignal.timeout(options.timeoutMs ?? 10 * second), options.stopping]),
    })
    await response.body?.cancel()
    return { status: response.status, error: null }
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error) }
  }
}

async function settle(job: Job, options: Options, result: { status: number | null; error: string | null }) {
  const { store, wallNow } = options
  const delivered = result.status !== null && result.status >= 200 && result.status < 300
  const wait = backOff[job.attempts]
  const state = delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending'
  await store.pool.query(
    `update ${store.schema}.deliveries
     set state = $2, attempts = attempts + 1, next_at = $3, last_status = $4, last_error = $5 where id = $1`,
    [job.id, state, wallNow() + (wait ?? 0), result.status, result.error],
  )
  if (!delivered) return
  await store.pool.query(
    `update ${store.schema}.objects set doc = jsonb_set(doc, '{pending_webhooks}',
       to_jsonb(greatest(0, (doc->>'pending_webhooks')::int - 1)))
     where kind = 'event' and id = $1`,
    [job.event.id],
  )
}

async function deliver(job: Job, options: Running): Promise<void> {
  const { faults } = options
  if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
  if (faults.drop > 0) {
    faults.drop -= 1
    return await settle(job, options, { status: 299, error: 'dropped' })
  }
  if (faults.duplicate > 0) {
    faults.duplicate -= 1
    await post(job, options)
  }
  await settle(job, options, await post(job, options))
}

export function createDeliverer(options: Options): Deliverer {
  let stopped = false
  const stopping = new AbortController()
  const running = { ...options, stopping: stopping.signal }
  let timer: NodeJS.Timeout | undefined
  let current: Promise<number> | undefined
  const pass = async () => {
    let count = 0
    while (!stopped && !options.faults.hold) {
      const jobs = await claim(options)
      if (jobs.length === 0) break
      await Promise.all(jobs.map((job) => deliver(job, running)))
      count += jobs.length
    }
    return count
  }
  const run = async (): Promise<number> => {
    const before = current
    if (before) await before.catch(() => 0)
    current ??= pass().finally(() => {
      current = undefined
    })
    return await current
  }
  const plan = (ms: number) => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      // A database that is away for a moment is asked again with the next look.
      void run()
        .catch(() => 0)
        .then(() => plan(pollMs))
    }, ms)
    timer.unref()
  }
  plan(0)
  return {
    run,
    kick: () => plan(0),
    async stop() {
      stopped = true
      clearTimeout(timer)
      stopping.abort()
      await current?.catch(() => 0)
    },
  }
}
