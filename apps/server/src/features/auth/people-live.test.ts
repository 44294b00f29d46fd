import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { addPerson, goodPassword, logInWithEmail, secretsEnv, type TestPerson } from '../../../test/people.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { createTwoProcesses, getSession } from '../../../test/sign-in.ts'

/** Where people are changed, and where their sessions are used. */
let one: TestContext
let two: TestContext
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
  app = two.ctx.instance(createTestApp)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await app?.close()
  await two?.close()
  await one?.close()
})

const root = () => request(one.ctx).as('super_admin')

/** An open event stream of the second process. */
async function listen({ key }: TestPerson) {
  const controller = new AbortController()
  const response = await fetch(`${origin}/api/events`, { headers: { 'x-admin-key': key }, signal: controller.signal })
  expect(response.status).toBe(200)
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
  return { text: () => text, isOver: () => isOver, leave: () => controller.abort() }
}

const endings: [name: string, end: (person: TestPerson) => Promise<{ statusCode: number }>, words: string][] = [
  [
    'deactivated',
    (person) => root().post(`/admin/users/${person.id}/deactivate`),
    'This session was ended. Sign in again.',
  ],
  ['deleted', (person) => root().delete(`/admin/users/${person.id}`), 'This session was ended. Sign in again.'],
  [
    'given a temporary password',
    (person) =>
      root().post(`/admin/users/${person.id}/reset-password`, { temporary_password: 'maple-orbit-cactus-93' }),
    'This session was ended. Sign in again.',
  ],
  [
    'signed out by a change of the password elsewhere',
    async (person) => {
      const other = (await logInWithEmail(one, person.email)).json().session_key
      return request(one.ctx)
        .withKey(other)
        .post('/auth/password', { current_password: goodPassword, password: 'maple-orbit-cactus-93' })
    },
    'This session was ended. Sign in again.',
  ],
]

describe('somebody who is', () => {
  test.each(endings)('%s is out with the next request, and hears no more', async (_name, end, words) => {
    const person = await addPerson(one)
    const stays = await addPerson(one)
    for (const process of [one, two]) expect((await getSession(process, person.key)).statusCode).toBe(200)
    const [stream, other] = [await listen(person), await listen(stays)]
    expect((await end(person)).statusCode).toBe(200)
    const refused = await getSession(one, person.key)
    expect([refused.statusCode, refused.json().detail]).toEqual([401, words])
    await eventually(async () => expect((await getSession(two, person.key)).statusCode).toBe(401))
    await eventually(() => expect(stream.isOver()).toBe(true))
    expect(other.isOver()).toBe(false)
    other.leave()
  })

  test('given another role may do what that gives with the next request, and hears of no more', async () => {
    const person = await addPerson(one, { role: 'admin' })
    const caller = (process: TestContext) => request(process.ctx).withKey(person.key)
    for (const process of [one, two]) expect((await caller(process).get('/stripe/payments')).statusCode).toBe(200)
    const stream = await listen(person)
    two.ctx.changes.tell('payments')
    await eventually(() => expect(stream.text()).toContain('"payments"'))
    await root().patch(`/admin/users/${person.id}`, { role_id: 'readonly' })
    expect((await caller(one).get('/stripe/payments')).statusCode).toBe(403)
    expect((await getSession(one, person.key)).json().actor).toMatchObject({
      role: 'readonly',
      permissions: ['analytics.read'],
    })
    await eventually(async () => expect((await caller(two).get('/stripe/payments')).statusCode).toBe(403))
    const timesTold = (topic: string) => stream.text().split(`"${topic}"`).length
    async function timesToldOfPayments(): Promise<number> {
      const [payments, health] = [timesTold('payments'), timesTold('health')]
      two.ctx.changes.tell('payments')
      two.ctx.changes.tell('health')
      await eventually(() => expect(timesTold('health')).toBeGreaterThan(health))
      return timesTold('payments') - payments
    }
    await eventually(async () => expect(await timesToldOfPayments()).toBe(0))
    expect(await timesToldOfPayments()).toBe(0)
    expect(stream.isOver()).toBe(false)
    stream.leave()
  })

  test('in a role that changes may do what it gives now', async () => {
    const added = await root().post('/admin/roles', { display_name: 'Changing', permissions: ['customers.read'] })
    const { id } = added.json().role
    const person = await addPerson(one, { role: id })
    const read = (process: TestContext, path: string) => request(process.ctx).withKey(person.key).get(path)
    for (const process of [one, two]) {
      expect((await read(process, '/stripe/customers')).statusCode).toBe(200)
      expect((await read(process, '/stripe/payments')).statusCode).toBe(403)
    }
    await root().patch(`/admin/roles/${id}`, { permissions: ['billing.read'] })
    expect((await read(one, '/stripe/payments')).statusCode).toBe(200)
    expect((await read(one, '/stripe/customers')).statusCode).toBe(403)
    await eventually(async () => {
      expect((await read(two, '/stripe/payments')).statusCode).toBe(200)
      expect((await read(two, '/stripe/customers')).statusCode).toBe(403)
    })
  })
})
