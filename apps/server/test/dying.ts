import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Sandbox } from '@agency/sandbox'
import { createStripeGateway } from '../src/integrations/stripe/client.ts'
import { createTestContext } from './context.ts'
import { lent } from './database.ts'
import type { Program } from './programs.ts'

/** A process of a test that dies by its own hand or is killed. */
export type Dying = {
  /** Resolves once it says that it is ready. */
  ready: Promise<unknown>
  /** The signal that ended it, null if it came to its end; fails if it failed. */
  ended: Promise<NodeJS.Signals | null>
  kill(): Promise<void>
}

/** Starts the program with an order, which it reads with `orderOf`. */
export function startDying(program: Program, order: unknown): Dying {
  const child = program.start([], { stdio: ['pipe', 'pipe', 'inherit'] })
  // One that dies at once reads nothing.
  child.stdin?.on('error', () => {}).end(JSON.stringify(order))
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (code) throw new Error(`The process ended with ${code}`)
    return signal as NodeJS.Signals | null
  })
  const neverReady = ended.then(() => {
    throw new Error('The process ended before it was ready')
  })
  const ready = Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), neverReady])
  // Who waits for them may begin to later, or never.
  for (const awaited of [ended, ready]) awaited.catch(() => {})
  return {
    ready,
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const orderOf = async <Order>(): Promise<Order> => JSON.parse(await text(process.stdin)) as Order

export const sayReady = (): void => void process.stdout.write('ready\n')

export const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** What the process that dies shares with the test: its database. */
export const contextAt = (connectionString: string, options: Parameters<typeof createTestContext>[0] = {}) =>
  createTestContext({ ...options, database: lent(connectionString) })

export const stripeAt = ({ secretKey, baseUrl }: Pick<Sandbox['stripe'], 'secretKey' | 'baseUrl'>) =>
  createStripeGateway({ secretKey, apiBase: baseUrl })

/** `after`: once the call was answered and before anything is written down; `before`: when it is about to be sent. */
export type Moment = 'before' | 'after'

/** A gateway of which one call, the nth of those that are counted, is the last thing that its process does. */
export function dieAt<Gateway extends object>(
  gateway: Gateway,
  calls: readonly (keyof Gateway)[],
  { nth, when }: { nth: number; when: Moment },
): Gateway {
  let left = nth
  const counted = (work: (...given: unknown[]) => Promise<unknown>) => {
    return async (...given: unknown[]) => {
      left -= 1
      const isLast = left === 0
      if (isLast && when === 'before') die()
      const answer = await work(...given)
      if (isLast) die()
      return answer
    }
  }
  const wrapped = calls.map((call) => [call, counted(gateway[call] as Parameters<typeof counted>[0])])
  return { ...gateway, ...Object.fromEntries(wrapped) }
}
