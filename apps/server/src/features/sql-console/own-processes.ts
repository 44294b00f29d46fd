import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { mebibyte, mostMemory } from './bounds.ts'
import { allowedProcessors, confinedTo } from './processors.ts'
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
  void setGroupPriority(process.pid, 0)
  helperOf(ownAccount()).write(`hurry ${process.pid}\n`)
}

const groupTries = { most: 50, everyMs: 100 }
/** What is wanted last counts, while an earlier wish is still being tried. */
const wanted = new Map<number, number>()

/**
 * Linux may share the processors out among sessions first (sched(7), autogroup), and each process of PostgreSQL is a session
 * of its own: among ten of them its own priority means nothing. Those who are not root change groups ten times a second.
 */
async function setGroupPriority(pid: number, nice: number): Promise<void> {
  wanted.set(pid, nice)
  for (let tried = 0; tried < groupTries.most && wanted.get(pid) === nice; tried++) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(nice))
      break
    } catch (error) {
      // Where there are no groups, or it ended, or it is another account's: it is watched all the same.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break
      await sleep(groupTries.everyMs, undefined, { ref: false })
    }
  }
  if (wanted.get(pid) === nice) wanted.delete(pid)
}

/** What the process has for itself: the buffers that all share are not counted. */
export async function readMemory({ pid }: Session): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/**
 * Only when nobody else has work for a processor, and not on all of them: with the lowest priority alone, whoever wakes up
 * waits for it a moment.
 */
export async function lowerPriority({ pid }: Session): Promise<void> {
  try {
    setPriority(pid, 19)
  } catch {
    // Ended already, or another account's: it is watched all the same.
  }
  helperOf(await accountOf(pid)).write(`yield ${pid}\n`)
  void setGroupPriority(pid, 19)
}

/**
 * Against the memory that one value can take between two looks, and that a plan takes, which nothing ends before it is made.
 * Set by the account of the process itself: another one may not, not even root everywhere.
 */
export async function limitMemory({ pid }: Session): Promise<void> {
  helperOf(await accountOf(pid)).write(`limit ${pid}\n`)
}

type Account = { uid: number; gid: number }

const ownAccount = (): Account => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })
const accountOf = (pid: number): Promise<Account> => stat(`/proc/${pid}`)

// One shell does it for all: to start a program stops everything else in a process of this size for a moment.
const helpers = new Map<number, ChildProcess>()
const loop = `while read -r what pid; do case $what in
  limit) prlimit --pid "$pid" --data=${mostMemory + 64 * mebibyte} ;;
  yield) chrt --idle --pid 0 "$pid"; taskset --pid --cpu-list "$2" "$pid" ;;
  hurry) chrt --other --pid 0 "$pid"; taskset --pid --cpu-list "$1" "$pid" ;;
esac; done`

/** The shell of an account; it ends with this process, which it does not keep alive. */
function helperOf({ uid, gid }: Account): Socket {
  const running = helpers.get(uid)
  if (running?.exitCode === null && running.stdin?.writable) return running.stdin as Socket
  const account = ownAccount().uid === uid ? {} : { uid, gid }
  const allowed = allowedProcessors()
  const started = spawn('sh', ['-c', loop, 'sh', allowed, confinedTo(allowed)], {
    ...account,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stdin = started.stdin as Socket
  // Where there is none, a query is watched all the same.
  started.on('error', () => {})
  stdin.on('error', () => {})
  started.unref()
  stdin.unref()
  helpers.set(uid, started)
  return stdin
}
