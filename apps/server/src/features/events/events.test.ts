import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { createTwoProcesses, signIn } from '../../../test/sign-in.ts'
import { createEventStreams } from './index.ts'

let one: TestContext
let two: TestContext
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
  app = one.ctx.instance(createTestApp)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await app?.close()
  await two?.close()
  await one?.close()
})

type Listener = {
  text: () => string
  topics: () => string[][]
  isOver: () => boolean
  leave: () => void
  headers: Headers
}
let listeners: Listener[] = []

beforeEach(() => {
  listeners = []
})

afterEach(async () => {
  for (const listener of listeners) listener.leave()
  await eventually(() => expect(one.ctx.instance(createEventStreams).count()).toBe(0))
})

async function listen(headers: Record<string, string>): Promise<Listener> {
  const controller = new AbortController()
  const response = await fetch(`${origin}/api/events`, { headers, signal: controller.signal })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  let text = ''
  let isOver = false
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true })
  }
  read()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const listener = {
    headers: response.headers,
    text: () => text,
    topics: () =>
      [...text.matchAll(/^event: changes\ndata: (.*)$/gm)].map((match) => JSON.parse(match[1]!).topics as string[]),
    isOver: () => isOver,
    leave: () => controller.abort(),
  }
  listeners.push(listener)
  return listener
}

const acting = (held: readonly string[]) => ({ 'x-test-actor': JSON.stringify({ role: 'custom', held }) })

test('tells what changed, by whichever process, and no more than it must', async () => {
  const listener = await listen({ 'x-admin-key': await signIn(one) })
  expect(Object.fromEntries(listener.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  await two.ctx.pool.query("select pg_notify('changes', t) from unnest(array['payments', 'payments', 'customers']) t")
  const told = () =>
    listener
      .topics()
      .flat()
      .filter((topic) => topic !== 'audit')
  await eventually(() => expect(told().sort()).toEqual(['customers', 'payments']))
})

test.each([
  [[], ['health', 'notifications']],
  [['customers.read'], ['customers', 'health', 'notifications']],
  [
    ['billing.read'],
    ['health', 'invoices', 'mirror', 'money_actions', 'notifications', 'payments', 'plans', 'subscriptions'],
  ],
  [['admin.system'], ['audit', 'health', 'notifications']],
])('with the permissions %j hears only of %j, never of sessions', async (held, heard) => {
  const listener = await listen(acting(held))
  const all = 'customers subscriptions payments invoices plans mirror money_actions audit sessions notifications health'
  for (const topic of all.split(' ')) one.ctx.changes.tell(topic as 'payments')
  await eventually(() => expect(listener.topics().flat().sort()).toEqual(heard))
})

test('ends when its session is revoked, and leaves the others open', async () => {
  const key = await signIn(one)
  const ended = await listen({ 'x-admin-key': key })
  const stays = await listen({ 'x-admin-key': await signIn(one) })
  await request(two.ctx).withKey(key).post('/auth/logout')
  await eventually(() => expect(ended.isOver()).toBe(true))
  expect(stays.isOver()).toBe(false)
})

test('ends when its session has run out', async () => {
  const listener = await listen({ 'x-admin-key': await signIn(one) })
  one.clock.advance(30 * 60_000 - 1)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(listener.isOver()).toBe(false)
  one.clock.advance(1)
  await eventually(() => expect(listener.isOver()).toBe(true))
})

test('is not opened without a good key', async () => {
  await expect(listen({})).rejects.toThrow('401')
  await expect(listen({ 'x-admin-key': `acs_${'x'.repeat(43)}` })).rejects.toThrow('401')
})

test('the oldest of too many streams of one session makes room', async () => {
  const key = await signIn(one)
  const oldest = await listen({ 'x-admin-key': key })
  for (let count = 0; count < 19; count++) await listen({ 'x-admin-key': key })
  expect(oldest.isOver()).toBe(false)
  await listen({ 'x-admin-key': key })
  await eventually(() => expect(oldest.isOver()).toBe(true))
  expect(one.ctx.instance(createEventStreams).count()).toBe(20)
})

test('ends when the console stops, without holding it up', async () => {
  const listener = await listen({ 'x-admin-key': await signIn(one) })
  await app.close()
  await eventually(() => expect(listener.isOver()).toBe(true))
})
