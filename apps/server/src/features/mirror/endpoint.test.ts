import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { type Console, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { createTestApp } from '../../../test/request.ts'
import { startJobs } from '../../platform/job.ts'
import { startMirror } from './check.ts'
import { ensureWebhookEndpoint, findWebhookSecrets, isWebhookConfigured } from './endpoint.ts'
import { mirrorJobs } from './jobs.ts'
import { mirrorState } from './service.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let dataDir: string
const opened: Console[] = []

async function open(env: Record<string, string> = {}): Promise<Console> {
  const console_ = await openConsole(sandbox, { env: { DATA_DIR: dataDir, ...env } })
  opened.push(console_)
  return console_
}

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 12 } }))
  dataDir = await mkdtemp(join(tmpdir(), 'endpoint-'))
})
afterAll(async () => {
  for (const console_ of opened) await console_.close()
  await stop()
  await rm(dataDir, { recursive: true })
})

const endpoints = async (console_: Console) => (await console_.ctx.stripe?.listWebhookEndpoints()) ?? []

test('an endpoint is made once for an address and again for another, and old secrets stay good for a while', async () => {
  const console_ = await open()
  const { ctx, system, clock } = console_
  expect(await isWebhookConfigured(ctx)).toBe(false)
  await ensureWebhookEndpoint(system, 'http://127.0.0.1:4001')
  await ensureWebhookEndpoint(system, 'http://127.0.0.1:4001')
  const [first, ...others] = await endpoints(console_)
  expect(others).toEqual([])
  expect(first).toMatchObject({
    url: 'http://127.0.0.1:4001/webhooks/stripe',
    enabled: true,
    apiVersion: '2026-10-28.endive',
  })
  const [secret] = await findWebhookSecrets(ctx)
  expect(secret).toMatch(/^whsec_/)
  const { value } = await ctx.db
    .selectFrom('instance_settings')
    .select('value')
    .where('key', '=', 'mirror.webhook')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(value)).not.toContain(secret)

  await ensureWebhookEndpoint(system, 'http://127.0.0.1:4002')
  const [second, ...more] = await endpoints(console_)
  expect(more).toEqual([])
  expect(second?.url).toBe('http://127.0.0.1:4002/webhooks/stripe')
  expect(await findWebhookSecrets(ctx)).toHaveLength(2)
  expect((await findWebhookSecrets(ctx))[1]).toBe(secret)
  clock.advance(25 * 3_600_000)
  expect(await findWebhookSecrets(ctx)).toHaveLength(1)
})

test('that an endpoint is made is written down before, and what became of it after', async () => {
  const console_ = await open()
  const { ctx, system } = console_
  const states = async () => {
    const rows = await ctx.db
      .selectFrom('audit_entries')
      .select(['resource_id', 'after', 'outcome'])
      .where('action', '=', 'webhook_endpoint.create')
      .orderBy('id')
      .execute()
    return rows.map(({ resource_id, after, outcome }) => [(after as { state: string }).state, outcome, resource_id])
  }
  const before: unknown[] = []
  const stripe = ctx.stripe!
  const watched = {
    ...stripe,
    createWebhookEndpoint: async (url: string) => {
      before.push(...(await states()))
      return stripe.createWebhookEndpoint(url)
    },
  }
  await ensureWebhookEndpoint({ ...system, stripe: { ...watched, in: () => watched } }, 'http://127.0.0.1:4005')
  expect(before).toEqual([['requested', 'done', null]])
  const made = (await endpoints(console_)).find(({ url }) => url.includes('4005'))
  expect(await states()).toEqual([
    ['requested', 'done', null],
    ['done', 'done', made?.id],
  ])
  const { rows } = await ctx.pool.query("select after::text from audit_entries where after::text like '%whsec_%'")
  expect(rows).toEqual([])
})

test('with a secret in the environment the endpoint is left alone', async () => {
  const console_ = await open({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_given' })
  const before = await endpoints(console_)
  await ensureWebhookEndpoint(console_.system, 'http://127.0.0.1:4003')
  expect(await endpoints(console_)).toEqual(before)
  expect(await findWebhookSecrets(console_.ctx)).toEqual(['whsec_given'])
})

test('a secret that cannot be opened any more is replaced', async () => {
  const console_ = await open()
  await ensureWebhookEndpoint(console_.system, 'http://127.0.0.1:4004')
  const moved = await openConsole(sandbox, {
    database: console_.database,
    env: { SECRETS_KEY: 'another key of at least thirty-two chars' },
  })
  expect(await findWebhookSecrets(moved.ctx)).toEqual([])
  await ensureWebhookEndpoint(moved.system, 'http://127.0.0.1:4004')
  expect(await findWebhookSecrets(moved.ctx)).toHaveLength(1)
  expect((await endpoints(moved)).filter(({ url }) => url.includes('4004'))).toHaveLength(1)
  await moved.close()
})

test('from the provider to the mirror in a moment, through its webhook and the queue', async () => {
  const console_ = await openConsole(sandbox, { env: { DATA_DIR: dataDir }, jobs: 'real' })
  const { ctx } = console_
  const app = createTestApp(ctx)
  try {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    await startJobs(ctx, mirrorJobs)
    await startMirror(ctx, `http://127.0.0.1:${port}`)
    await eventually(async () => {
      const { first_import, webhook } = await mirrorState(ctx)
      expect([first_import?.state, webhook.configured]).toEqual(['done', true])
    })
    const { client } = await startWorld(sandbox)
    const { id } = await client.customers.create({ name: 'Just now' })
    await eventually(async () => {
      const row = await ctx.db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst()
      expect(row?.name).toBe('Just now')
    })
    await eventually(async () => {
      const state = await mirrorState(ctx)
      expect(state).toMatchObject({ pending_events: 0, dead_events: 0, problem: null })
      expect(state.last_event_at).not.toBeNull()
      expect(state.webhook.last_received_at).not.toBeNull()
    })
    const secrets = await findWebhookSecrets(ctx)
    const [endpoint] = await endpoints(console_)
    await sandbox.control.rollSecret(endpoint!.id, 3_600_000)
    await client.customers.update(id, { name: 'While the secret rolls' })
    await eventually(async () => {
      const row = await ctx.db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst()
      expect(row?.name).toBe('While the secret rolls')
    })
    expect(await findWebhookSecrets(ctx)).toEqual(secrets)
  } finally {
    await app.close()
    await console_.close()
  }
})
