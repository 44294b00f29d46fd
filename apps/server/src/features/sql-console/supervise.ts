import type { AppContext } from '../../context.ts'
import { mebibyte, mostMemory, mostOnDisk } from './bounds.ts'
import { isHere, limitMemory, lowerPriority, readMemory } from './own-processes.ts'
import type { Session } from './queries/session.ts'
import { endSessionOf, findTempBytes } from './queries/signal.ts'

const lookEveryMs = 50
const lookAtDiskEveryMs = 500
/** So long a query that is alone works like any other; one that takes longer, or comes beside others, comes behind them. */
const shortMs = 500
/** After being told to end; then the connection is closed from here. */
const patienceMs = 800

const reasons = {
  time: (seconds: number) => `Stopped after ${seconds} seconds`,
  memory: () => `Stopped: used more than ${mostMemory / mebibyte} MB of memory`,
  disk: () => `Stopped: wrote more than ${mostOnDisk / mebibyte} MB of temporary files`,
}
type Reason = keyof typeof reasons

export type Supervision = {
  /** Why it was ended from here, if it was. */
  reason(): string | null
  stop(): void
}

/** How many of this process are under way. */
let watched = 0

/** `isConfined`: it may take its time, as one that holds locks must not. */
type Bounds = { seconds: number; isConfined: boolean }

/** Watches over one session from outside the database, and ends it when it takes more than it may. */
export function supervise(ctx: AppContext, id: string, session: Session, { seconds, isConfined }: Bounds): Supervision {
  let reason: string | null = null
  let isOver = false
  watched++
  const looks: NodeJS.Timeout[] = []

  function end(why: Reason): void {
    if (isOver || reason !== null) return
    reason = reasons[why](seconds)
    endSessionOf(ctx.pool, id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a query was not ended'))
    setTimeout(() => void session.close(), patienceMs).unref()
  }

  async function lookAtMemory(): Promise<void> {
    const bytes = await readMemory(session).catch(() => 0)
    if (bytes > mostMemory) end('memory')
  }

  async function lookAtDisk(): Promise<void> {
    const bytes = await findTempBytes(ctx.pool, session.pid)
    if (bytes === null) clearInterval(disk)
    else if (bytes > mostOnDisk) end('disk')
  }

  const timer = setTimeout(() => end('time'), seconds * 1000)
  const disk = setInterval(() => void lookAtDisk(), lookAtDiskEveryMs)
  looks.push(disk)
  void isHere(session).then((here) => {
    if (!here || isOver) return
    if (isConfined) {
      limitMemory(session).catch(() => {})
      looks.push(setTimeout(() => void lowerPriority(session).catch(() => {}), watched > 1 ? 0 : shortMs))
    }
    looks.push(setInterval(() => void lookAtMemory(), lookEveryMs))
  })

  return {
    reason: () => reason,
    stop: () => {
      if (!isOver) watched--
      isOver = true
      clearTimeout(timer)
      for (const look of looks) clearInterval(look)
    },
  }
}
