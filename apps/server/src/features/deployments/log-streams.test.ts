import type { LogLine } from '@agency/contract/types'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { createTestApp } from '../../../test/request.ts'
import { createTwoProcesses, signIn } from '../../../test/sign-in.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { insertLines, insertNote } from './queries/log.ts'

let one: TestContext
let two: TestContext
let app: FastifyInstance
let origin: string
let key: string

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
  app = one.ctx.instance(createTestApp)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  key = await signIn(one)
  await one.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     values ('site_0000000000000001', 'Shop', 'shop.example', 'active', now(), now())`,
  )
})
afterAll(async () => {
  await app?.close()
  await two?.close()
  await one?.close()
})

const addDeployment = (id: string) =>
  one.ctx.pool.query(
    `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at)
     values ($1, 'site_0000000000000001', 'deploy', 'console', 'building', 'pages', $1, $1, now())`,
    [id],
  )

/** As another process writes them. */
const addLines = (id: string, from: number, to: number) =>
  two.ctx.pool.query(
    `insert into deployment_log_lines (deployment_id, number, at, text)
     select $1, number, now(), 'line ' || number from generate_series($2::int, $3::int) as number`,
    [id, from, to],
  )

const end = (id: string) =>
  two.ctx.pool.query(
    `update deployments set status = 'success', completed_at = now(), is_log_complete = true where id = $1`,
    [id],
  )

async function listen(path: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const response = await fetch(`${origin}/api${path}`, {
    headers: { 'x-admin-key': key, ...headers },
    signal: controller.signal,
  })
  let text = ''
  let isOver = false
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true })
  }
  read()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const lines = (): LogLine[] =>
    [...text.matchAll(/^data: (\{"lines".*)$/gm)].flatMap(([, data]) => JSON.parse(String(data)).lines)
  const numbers = () => lines().map((line) => line.number)
  return { response, text: () => text, lines, numbers, isOver: () => isOver, leave: () => controller.abort() }
}

test('tells lines as another process writes them, and ends with the deployment', async () => {
  await addDeployment('dep_a')
  await addLines('dep_a', 1, 3)
  const reader = await listen('/deployments/dep_a/log/stream')
  expect(reader.response.headers.get('content-type')).toBe('text/event-stream')
  await eventually(() => expect(reader.numbers()).toEqual([1, 2, 3]))
  await addLines('dep_a', 4, 5)
  await eventually(() => expect(reader.numbers()).toEqual([1, 2, 3, 4, 5]))
  expect(reader.text()).not.toContain('event: end')
  await end('dep_a')
  await eventually(() => expect(reader.text()).toContain('event: end'))
  await eventually(() => expect(reader.isOver()).toBe(true))
})

test('goes on where its reader was', async () => {
  await addDeployment('dep_b')
  await addLines('dep_b', 1, 6)
  await end('dep_b')
  const readers = [
    await listen('/deployments/dep_b/log/stream?after=4'),
    await listen('/deployments/dep_b/log/stream?after=1', { 'last-event-id': '5' }),
    await listen('/deployments/dep_b/log/stream?after=6'),
  ]
  for (const reader of readers) await eventually(() => expect(reader.isOver()).toBe(true))
  expect(readers.map((reader) => reader.numbers())).toEqual([[5, 6], [6], []])
})

test('tells a hundred thousand lines, each once and in order', async () => {
  await addDeployment('dep_c')
  await addLines('dep_c', 1, 100_000)
  await end('dep_c')
  const reader = await listen('/deployments/dep_c/log/stream')
  await eventually(() => expect(reader.isOver()).toBe(true))
  const numbers = reader.numbers()
  expect(numbers.length).toBe(100_000)
  expect(numbers.every((number, index) => number === index + 1)).toBe(true)
})

test('tells a line that took the place of another text, once, to who reads and to who comes back', async () => {
  await addDeployment('dep_e')
  const write = (...numbers: number[]) =>
    inTransaction(asSystem(two.ctx, 'job', 'test'), async (tx) => {
      for (const number of numbers) await insertLines(tx.db, 'dep_e', [{ number, at, text: `line ${number}` }])
    })
  const textsOf = (reader: Awaited<ReturnType<typeof listen>>) => reader.lines().map(({ text }) => text)
  const at = new Date()
  await inTransaction(asSystem(two.ctx, 'job', 'test'), (tx) =>
    insertNote(tx.db, 'dep_e', 'Waiting for the builder', at),
  )
  const reader = await listen('/deployments/dep_e/log/stream')
  await eventually(() => expect(textsOf(reader)).toEqual(['Waiting for the builder']))
  const first = await listen('/deployments/dep_e/log/stream?after=1')
  await write(1, 3)
  const seen = ['line 1', '(line missing)', 'line 3']
  await eventually(() => expect(textsOf(reader).slice(1)).toEqual(seen))
  await eventually(() => expect(textsOf(first)).toEqual(seen))
  const back = await listen('/deployments/dep_e/log/stream', { 'last-event-id': '3' })
  await write(2)
  await end('dep_e')
  for (const one of [reader, first, back]) await eventually(() => expect(one.isOver()).toBe(true))
  expect([reader, first, back].map(textsOf)).toEqual([
    ['Waiting for the builder', ...seen, 'line 2'],
    [...seen, 'line 2'],
    expect.arrayContaining(['line 1', 'line 2']),
  ])
  expect([...reader.text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '3', '3'])
})

test('ends when its session does', async () => {
  await addDeployment('dep_d')
  const own = await signIn(one)
  const reader = await listen('/deployments/dep_d/log/stream', { 'x-admin-key': own })
  await eventually(() => expect(reader.text()).toContain('retry'))
  await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { 'x-admin-key': own } })
  await eventually(() => expect(reader.isOver()).toBe(true))
})
