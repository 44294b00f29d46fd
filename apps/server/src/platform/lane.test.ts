import { expect, test, vi } from 'vitest'
import { createLane } from './lane.ts'

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const work = vi.fn(() => promise)
  return { work, resolve, reject }
}

test('one thing is done after the other, also after one that fails', async () => {
  const inTurn = createLane()
  const [first, second] = [held(), held()]
  const [one, two, three] = [inTurn(first.work), inTurn(second.work), inTurn(async () => 'third')]
  await expect.poll(() => first.work.mock.calls.length).toBe(1)
  expect(second.work).not.toHaveBeenCalled()
  first.reject(new Error('broken'))
  await expect(one).rejects.toThrow('broken')
  second.resolve('second')
  expect(await Promise.all([two, three])).toEqual(['second', 'third'])
})

test('what takes too long is not waited for', async () => {
  const inTurn = createLane(20)
  const { work, resolve } = held()
  const long = inTurn(work)
  expect(await inTurn(async () => 'second')).toBe('second')
  resolve('long')
  expect(await long).toBe('long')
})
