import { expect, test, vi } from 'vitest'
import { useSandbox } from '../test/sandbox.ts'
import { choose, startActivity, usualPause } from './activity.ts'

const world = useSandbox({ size: { customers: 8 } })

test('things happen one after the other, and end when stopped', async () => {
  const happened: string[] = []
  const stop = startActivity({
    pause: () => 1,
    happen: async (name) => {
      happened.push(name)
      if (happened.length === 3) throw new Error('could not happen')
    },
  })
  await vi.waitUntil(() => happened.length > 10)
  stop()
  const count = happened.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(happened.length).toBeLessThanOrEqual(count + 1)
})

test('whatever is chosen can happen', async () => {
  const names = new Set(Array.from({ length: 200 }, (_, index) => choose(index / 200)))
  expect(names.size).toBe(7)
  for (const name of names) expect(await world.sandbox.control.scenario(name)).toEqual(expect.any(Object))
})

test('it is lively at first and calm later', () => {
  expect([usualPause(0, 0), usualPause(0, 1)]).toEqual([20_000, 60_000])
  expect(usualPause(3_600_000, 0)).toBeGreaterThan(180_000)
})
