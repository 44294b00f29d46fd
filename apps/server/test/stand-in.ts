import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { execute } from './database.ts'
import { programOf } from './programs.ts'

const program = await programOf(new URL('./console-stand-in.ts', import.meta.url).href)

export interface StandIn {
  child: ChildProcess
  connectionString: string
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** Starts a process that holds the database of this DATA_DIR. Fails with the line that it printed. */
export async function startStandIn(dataDir: string, account: { uid?: number; gid?: number } = {}): Promise<StandIn> {
  const child = program.start([dataDir], { ...account, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const complaint = text(child.stderr)
  const ready = once(child.stdout, 'data').then(([chunk]) => String(chunk).trim())
  const connectionString = await Promise.race([
    ready,
    ended.then(async () => {
      throw new Error((await complaint).trim())
    }),
  ])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [status] = await ended
    return status as number | null
  }
  return {
    child,
    connectionString,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
  }
}

/** The value of an expression, or of a query that answers one. */
export async function ask<T>(connectionString: string, expression: string): Promise<T> {
  const [row] = await execute(connectionString, `SELECT (${expression}) AS value`)
  return row?.['value'] as T
}
