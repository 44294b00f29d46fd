import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { addPerson, freshAddress, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { createTwoProcesses, getSession } from '../../../test/sign-in.ts'
import { triesBeforeLock } from './lockout.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const allowed = triesBeforeLock.account

const countsOf = (statuses: number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, statuses.filter((s) => s === status).length]),
  )

test('a thousand wrong passwords at once for one account are ten guesses', async () => {
  const person = await addPerson(one)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => logInWithEmail(index % 2 ? two : one, person.email, `wrong ${index}`)),
  )
  delay.disable()
  const seconds = (performance.now() - started) / 1000
  const counts = countsOf(answers.map(({ statusCode }) => statusCode))
  process.stdout.write(
    `1000 at once: ${JSON.stringify(counts)} in ${seconds.toFixed(1)} s, event loop p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms\n`,
  )
  expect(counts).toEqual({ 401: allowed, 429: 1000 - allowed })
  const { rows } = await one.ctx.pool.query(
    `select count(*)::int as looked_at from sign_in_attempts where user_id = $1 and not succeeded`,
    [person.id],
  )
  expect(rows).toEqual([{ looked_at: allowed }])
  expect((await getSession(one, person.key)).statusCode).toBe(200)
})

test('who has the right password is not locked by having to wait while others guess at many accounts', async () => {
  const person = await addPerson(one)
  const address = freshAddress()
  let isOver = false
  let wrong = 0
  const guess = async () => {
    while (!isOver) await logInWithEmail(one, `nobody-${wrong++}@example.com`, 'wrong')
  }
  const flood = Promise.all(Array.from({ length: 80 }, guess))
  const own: number[] = []
  for (let count = 0; count < 40; count++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    own.push((await logInWithEmail(one, person.email, undefined, address)).statusCode)
  }
  isOver = true
  await flood
  process.stdout.write(`${wrong} wrong meanwhile, own ${JSON.stringify(countsOf(own))}\n`)
  expect(own.every((status) => status === 200 || status === 429)).toBe(true)
  const after = await logInWithEmail(one, person.email, undefined, address)
  expect([after.statusCode, after.json().detail]).toEqual([200, undefined])
})
