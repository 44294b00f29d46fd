import { expect, test } from 'vitest'
import { useSandbox } from '../test/sandbox.ts'
import { choose, startActivity, usualPause } from './activity.ts'

const world = useSandbox({ size: { customers: 8 } })

const happeningNames = () => Array.from({ length: 200 }, (_, index) => choose(index / 200))

test('things happen one after the other, and end when stopped', async () => {
  const happened: string[] = []
  const stop = startActivity({
    pause: () => 1,
    happen: async (name) => {
      happened.push(name)
      if (happened.length === 3) throw new Error('could not happen')
    },
  })
  await expect.poll(() => happened.length).toBeGreaterThan(10)
  stop()
  const count = happened.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(happened.length).toBeLessThanOrEqual(count + 1)
})

test('whatever is chosen can happen', async () => {
  const names = new Set(happeningNames())
  expect(names.size).toBe(7)
  for (const name of names) expect(await world.sandbox.control.scenario(name)).toEqual(expect.any(Object))
})

test('a website that is sold while one looks on is online, so that a demo of days has no heap of unmade ones', async () => {
  expect(happeningNames()).not.toContain('checkout_completed')
  const { checkout_session: id } = await world.sandbox.control.scenario('website_sold')
  const { status, metadata } = await world.stripe.checkout.sessions.retrieve(id as string)
  const [domain] = metadata?.['selected_domains']?.split(',') ?? []
  expect([status, metadata?.['production_url']]).toEqual(['complete', `https://${domain}/`])
})

test('it is lively at first and calm later', () => {
  expect([usualPause(0, 0), usualPause(0, 1)]).toEqual([20_000, 60_000])
  expect(usualPause(3_600_000, 0)).toBeGreaterThan(180_000)
})
