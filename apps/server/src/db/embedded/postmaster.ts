import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../errors.ts'

/** What a running server writes into postmaster.pid. */
export interface Postmaster {
  pid: number
  port: number
  socketDir: string
  status: string
}

export function readPostmaster(pgData: string): Postmaster | undefined {
  const text = readIfThere(join(pgData, 'postmaster.pid'))
  const [pid, , , port, socketDir, , , status] = text?.split('\n').map((line) => line.trim()) ?? []
  if (!Number(pid)) return undefined
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', status: status ?? 'starting' }
}

/**
 * The server that runs on this data, if there is one. A number in a left-over file may by now be another process, and a
 * server that was started a moment ago has not written its file yet.
 */
export async function findPostmaster(pgData: string): Promise<Postmaster | undefined> {
  const written = readPostmaster(pgData)
  if (written && isAlive(written.pid) && (await worksOn(pgData, written.pid))) return written
  const pid = await findServer(pgData)
  return pid === undefined ? undefined : { pid, port: 0, socketDir: '', status: 'starting' }
}

async function findServer(pgData: string): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined
  const name = nameOnCommandLine(pgData)
  return (await findProcesses()).find(({ pid, command }) => command.includes(name) && isAlive(pid))?.pid
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // An ended process whose parent has not asked for its status still has its number.
  return !readIfThere(`/proc/${pid}/stat`)?.includes(') Z ')
}

/** On the command line of every server of ours, so that it can be told from a process that got its number later. */
export const nameOnCommandLine = (pgData: string): string => `agency.data=${pgData}`

async function worksOn(pgData: string, pid: number): Promise<boolean> {
  return process.platform === 'win32' || (await commandLine(pid)).includes(nameOnCommandLine(pgData))
}

async function commandLine(pid: number): Promise<string> {
  const found = readIfThere(`/proc/${pid}/cmdline`)
  return found ?? (await ps('-o', 'command=', '-p', String(pid)))
}

async function findProcesses(): Promise<{ pid: number; command: string }[]> {
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), command: readIfThere(`/proc/${name}/cmdline`) ?? '' }))
  const lines = (await ps('-axo', 'pid=,command=')).split('\n')
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), command: line })).filter(({ pid }) => pid > 0)
}

const ps = (...args: string[]): Promise<string> =>
  promisify(execFile)('ps', args).then(
    ({ stdout }) => stdout,
    () => '',
  )

const patienceMs = 45_000

/** Asks the server to end, harder each time it does not. Ended hard, it loses nothing: it recovers at its next start. */
export async function endProcess(pid: number, withinMs = patienceMs): Promise<void> {
  for (const [signal, share] of [
    ['SIGINT', 6 / 9],
    ['SIGQUIT', 2 / 9],
    ['SIGKILL', 1 / 9],
  ] as const) {
    const started = signal === 'SIGKILL' ? startedBy(pid) : []
    if (!send(pid, signal)) return
    // Those that are stopped in their tracks would not see that their parent is gone.
    for (const one of started) send(one, signal)
    if (await hasEnded(pid, withinMs * share)) return
  }
  throw new DatabaseStartError(`The database process ${pid} does not end; end it by hand and start again`)
}

const startedBy = (pid: number): number[] =>
  (readIfThere(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').map(Number).filter(Boolean)

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(5)) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ESRCH: the process ended while its file was read.
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
