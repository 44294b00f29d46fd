import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { mebibyte, mostMemory } from './bounds.ts'
import type { Session } from './queries/session.ts'

type Process = Pick<Session, 'pid' | 'user'>

/**
 * Whether the process that serves the session runs on this machine, so that it can be looked after: PostgreSQL writes the role
 * into the name of the process. A server elsewhere has other processes under its numbers.
 */
export async function isHere({ pid, user }: Process): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return name.startsWith('postgres') && name.includes(` ${user} `)
}

/** Lets one that was told to end have its turn: confined, it would hear of that late on a busy machine. */
export async function hurry(process: Process): Promise<void> {
  if (!(await isHere(process))) return
  try {
    setPriority(process.pid, 0)
  } catch {
    // Ended already, or the console may not: it ends all the same.
  }
}

/** What the process has for itself: the buffers that all share are not counted. */
export async function readMemory({ pid }: Session): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** Behind everybody else's work for a processor. */
export function lowerPriority({ pid }: Session): void {
  try {
    setPriority(pid, 19)
  } catch {
    // Ended already, or another account's: it is watched all the same.
  }
}

/**
 * Against the memory that one value can take between two looks, and that a plan takes, which nothing ends before it is made.
 * Set by the account of the process itself: another one may not, not even root everywhere.
 */
export async function limitMemory({ pid }: Session): Promise<void> {
  const { uid, gid } = await stat(`/proc/${pid}`)
  limiterOf(uid, gid).write(`${pid}\n`)
}

// One shell sets the limits of all: to start a program stops everything else in a process of this size for a moment.
const limiters = new Map<number, ChildProcess>()
const loop = `while read -r pid; do prlimit --pid "$pid" --data=${mostMemory + 64 * mebibyte}; done`

/** The shell of an account; it ends with this process, which it does not keep alive. */
function limiterOf(uid: number, gid: number): Socket {
  const running = limiters.get(uid)
  if (running?.exitCode === null && running.stdin?.writable) return running.stdin as Socket
  const account = process.getuid?.() === uid ? {} : { uid, gid }
  const started = spawn('sh', ['-c', loop], { ...account, stdio: ['pipe', 'ignore', 'ignore'] })
  const stdin = started.stdin as Socket
  // Where there is none, a query is watched all the same.
  started.on('error', () => {})
  stdin.on('error', () => {})
  started.unref()
  stdin.unref()
  limiters.set(uid, started)
  return stdin
}
