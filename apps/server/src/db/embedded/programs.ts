import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type Account, enter } from './account.ts'
import { explainOutput, explainSpawnError } from './failures.ts'

export interface Program {
  path: string
  args: (folder: string) => string[]
}

/** Starts a program of PostgreSQL on this data, as its account and without any of our environment. */
export async function spawnProgram(
  { path, args }: Program,
  pgData: string,
  account: Account | undefined,
  options: SpawnOptions,
): Promise<ChildProcess> {
  const { asSeenInside, cwd } = enter(pgData, account)
  const child = spawn(path, args(asSeenInside), { ...options, ...account, cwd, env: environment })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw explainSpawnError(path, error)
  }
  return child
}

/** Runs a program to its end; fails with what it said. */
export async function runProgram(
  program: Program,
  pgData: string,
  account: Account | undefined,
  { input = '', signal }: { input?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const child = await spawnProgram(program, pgData, account, { stdio: ['pipe', 'ignore', 'pipe'] })
  const exit = once(child, 'close')
  const end = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  // A program that ends early closes its input; its own words tell more than our broken pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [output, [status]] = await Promise.all([child.stderr ? text(child.stderr) : '', exit])
  signal?.removeEventListener('abort', end)
  signal?.throwIfAborted()
  if (status !== 0) throw explainOutput(program.path, output, pgData)
}

const keptBytes = String(16 * 1024 * 1024)

// PG* variables of ours would change what the programs do, and our keys are none of their business.
const environment = {
  LC_ALL: 'C',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  SYSTEMROOT: 'C:\\Windows',
  // Else glibc gives back what each query used, and the system clears it for the next one.
  MALLOC_TRIM_THRESHOLD_: keptBytes,
  MALLOC_MMAP_THRESHOLD_: keptBytes,
}
