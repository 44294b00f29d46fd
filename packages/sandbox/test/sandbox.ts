import CloudflareClient, { type ClientOptions } from 'cloudflare'
import Stripe from 'stripe'
import { afterAll, beforeAll } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../src/index.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

export type World = {
  sandbox: Sandbox
  stripe: Stripe
  databaseUrl: string
  postgres: TestPostgres
}

export const clientOf = ({ stripe }: Pick<Sandbox, 'stripe'>, more: Stripe.StripeConfig = {}) =>
  new Stripe(stripe.secretKey, {
    host: stripe.host,
    port: stripe.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    ...more,
  })

export const cloudflareOf = ({ cloudflare }: Pick<Sandbox, 'cloudflare'>, more: ClientOptions = {}) =>
  new CloudflareClient({
    baseURL: cloudflare.baseUrl,
    apiToken: cloudflare.apiToken,
    apiKey: null,
    apiEmail: null,
    maxRetries: 0,
    ...more,
  })

export const quiet = {
  activity: false,
  rateLimit: 0,
  cloudflare: { requestLimit: 0, graphqlLimit: 0 },
} satisfies Partial<SandboxOptions>

/** A seeded sandbox with the real SDK pointed at it, for the tests of one file. */
export function useSandbox(options: Partial<SandboxOptions> = {}): World {
  const world = {} as World
  beforeAll(async () => {
    world.postgres = await startPostgres()
    world.databaseUrl = await world.postgres.createDatabase()
    world.sandbox = await startSandbox({ databaseUrl: world.databaseUrl, ...quiet, ...options })
    world.stripe = clientOf(world.sandbox)
  })
  afterAll(async () => {
    await world.sandbox?.stop()
    await world.postgres?.stop()
  })
  return world
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

export async function refusal(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error(`Expected Stripe to refuse, got ${String(error)}`)
}

export const day = 86_400_000

/** A customer of the test's own, and what the world tells. */
export const helpersOf = (world: World) => ({
  newCustomer: async () => String((await world.sandbox.control.scenario('customer_created'))['customer']),
  lastEvent: async () => (await world.stripe.events.list({ limit: 1 })).data[0]!.id,
  // Going back from a cursor, the SDK gives the oldest first.
  eventsSince: async (after: string) =>
    (await all(world.stripe.events.list({ limit: 100, ending_before: after }))).map(({ type }) => type),
})
