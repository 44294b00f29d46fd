import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStops } from './shutdown.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('parts are stopped one after the other, the last one first', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  stops.add('first', () => stopped.push('first'))
  stops.add('second', async () => stopped.push('second'))
  await stops.stopAll()
  expect(stopped).toEqual(['second', 'first'])
})

test('a part that does not end is left behind after its time, and one that fails keeps no other', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  const never = new Promise(() => {})
  stops.add('database', () => stopped.push('database'), Number.POSITIVE_INFINITY)
  stops.add('broken', () => Promise.reject(new Error('no')))
  for (const part of ['jobs', 'server', 'deployments', 'health', 'changes']) stops.add(part, () => never)
  const ending = stops.stopAll()
  await vi.advanceTimersByTimeAsync(2500)
  expect(stopped).toEqual(['database'])
  await ending
})

test('whoever asks for the end a second time waits for the same one', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  stops.add(
    'database',
    () => new Promise((resolve) => setTimeout(resolve, 1000)).then(() => stopped.push('database')),
    2000,
  )
  expect(stops.isStopping()).toBe(false)
  void stops.stopAll()
  const second = stops.stopAll().then(() => stopped.push('told'))
  await vi.advanceTimersByTimeAsync(1500)
  await second
  expect([stopped, stops.isStopping()]).toEqual([['database', 'told'], true])
})

test.each(["Promise.reject(new Error('nobody'))", "setTimeout(() => { throw new Error('nobody') })"])(
  'what nobody caught is told and ends the process in order: %s',
  async (fault) => {
    vi.useRealTimers()
    const program = `
      import { endOnFault } from '${new URL('./shutdown.ts', import.meta.url).href}'
      setInterval(() => {}, 1000)
      endOnFault(() => undefined, async () => console.log('stopped in order'))
      ${fault}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [[status], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    expect([status, output.trim()]).toEqual([70, 'stopped in order'])
    expect(errors).toContain('Error: nobody')
  },
)
