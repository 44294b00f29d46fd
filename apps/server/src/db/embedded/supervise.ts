import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { launch, type Server, stopServer } from './launch.ts'
import { isAlive } from './postmaster.ts'
import { removeSocketDir } from './socket-dir.ts'

/** Looking costs microseconds, and until it is seen every call fails. */
const defaultWatchMs = 100
const shortestPauseMs = 50
const longestPauseMs = 30_000

interface Supervised {
  readonly pid: number
  stop(withinMs?: number): Promise<void>
}

/** Starts the server again, at the same address, when it ends without having been asked to. */
export function supervise(
  server: Server,
  firstPid: number,
  log: Pick<Logger, 'warn' | 'error'>,
  watchMs = defaultWatchMs,
): Supervised {
  let pid = firstPid
  const stopping = new AbortController()
  let relaunch: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  async function startAgain(): Promise<void> {
    for (let pauseMs = shortestPauseMs; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        pid = await launch(server, stopping.signal)
        log.warn({ pid }, 'database started again')
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error({ err: error }, 'database does not start')
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const watch = setInterval(() => {
    if (relaunch || isAlive(pid)) return
    log.error({ pid }, 'database ended by itself')
    relaunch = startAgain().finally(() => {
      relaunch = undefined
    })
  }, watchMs).unref()

  async function stop(withinMs?: number): Promise<void> {
    stopping.abort()
    clearInterval(watch)
    await relaunch
    await stopServer(server, pid, withinMs)
    if (server.listening.socketDir !== undefined) await removeSocketDir(server.listening.socketDir)
  }

  return {
    get pid() {
      return pid
    },
    stop: (withinMs) => {
      stopped ??= stop(withinMs)
      return stopped
    },
  }
}
