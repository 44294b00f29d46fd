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

test('a part is stopped once it has started, and not before', async () => {
  const stops = createStops(() => undefined)
  const told: string[] = []
  const partOf = (name: string, start: () => unknown = () => undefined) => ({ start, stop: () => told.push(name) })
  void stops.start(
    'waits',
    partOf('waits', () => new Promise(() => {})),
  )
  const failing = stops.start(
    'fails',
    partOf('fails', () => Promise.reject(new Error('no'))),
  )
  await expect(failing).rejects.toThrow('no')
  void stops.start('at once', partOf('at once'))
  await stops.stopAll()
  expect(told).toEqual(['at once'])
})

test('a part that does not end is left behind after its time, and one that fails keeps no other', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  const never = new Promise(() => {})
  stops.add(
    'database',
    (leftMs) => stopped.push(`database within ${Math.round(leftMs / 100)} tenths`),
    Number.POSITIVE_INFINITY,
  )
  stops.add('broken', () => Promise.reject(new Error('no')))
  for (const part of ['jobs', 'server', 'deployments', 'health', 'changes']) stops.add(part, () => never)
  const ending = stops.stopAll()
  await vi.advanceTimersByTimeAsync(2500)
  // What is waited for has the rest of the time.
  expect(stopped).toEqual(['database within 8 tenths'])
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

/** A console with `parts` and a log of as many lines; it says so once it can be asked to end. */
function startLogger(parts: string, lines: number) {
  const program = `
    import { createGatheringLogger } from '${new URL('./logger.ts', import.meta.url).href}'
    import { createStops, stopOnSignals } from '${new URL('./shutdown.ts', import.meta.url).href}'
    const { log, flush } = createGatheringLogger('info')
    const stops = createStops(() => log)
    stops.add('log', flush, Number.POSITIVE_INFINITY)
    ${parts}
    stopOnSignals(stops.stopAll)
    setInterval(() => {}, 1000)
    for (let line = 0; line < ${lines}; line++) log.info('x'.repeat(1000))
    process.stderr.write('ready')`
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] })
}

test('a process whose output nobody reads ends when it is asked to', async () => {
  vi.useRealTimers()
  const child = startLogger('', 3000)
  child.stdout.pause()
  await once(child.stderr, 'data')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  // With what could not be written it cannot end as usual.
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('parts that take all the time leave the log its own: it is written and the process ends as usual', async () => {
  vi.useRealTimers()
  const parts = Array.from({ length: 4 }, (_, part) => `stops.add('part ${part}', () => new Promise(() => {}))`)
  const child = startLogger(parts.join('\n'), 20)
  const output = text(child.stdout)
  await once(child.stderr, 'data')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect((await output).split('\n').filter((line) => line.includes('could not stop cleanly'))).toHaveLength(4)
})
