import { expect, test } from 'vitest'
import { refusal, useSandbox } from '../test/sandbox.ts'
import { rateLimiter } from './http/rate-limit.ts'

const world = useSandbox({ rateLimit: 5, size: { customers: 2 } })

test('a burst beyond the limit is refused and recovers', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => world.stripe.customers.list()))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused.length).toBeGreaterThanOrEqual(5)
  expect(refused[0]!.reason).toMatchObject({ type: 'StripeRateLimitError', statusCode: 429 })
  const error = await refusal(world.stripe.customers.list().then(() => world.stripe.customers.list()))
  expect(error.headers?.['stripe-rate-limited-reason']).toBe('global-rate')
  await new Promise((resolve) => setTimeout(resolve, 450))
  expect((await world.stripe.customers.list()).object).toBe('list')
})

test('the bucket refills with time and never beyond its size', () => {
  let now = 0
  const allow = rateLimiter(2, () => now)
  expect([allow(), allow(), allow()]).toEqual([true, true, false])
  now = 500
  expect([allow(), allow()]).toEqual([true, false])
  now = 60_000
  expect([allow(), allow(), allow()]).toEqual([true, true, false])
})
