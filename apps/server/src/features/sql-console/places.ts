import { sqlLimits } from '@agency/contract/sql-console'
import { cancelled } from './explain-failure.ts'
import { Refused } from './guard/refused.ts'

export type Place = {
  /** When it was given, as `performance.now()`. */
  since: number
  /** Gives it to whoever waits longest; again it does nothing. */
  leave(): void
}

type Waiting = { id: string; begin: () => void; drop: (why: Error) => void }

const tooLong = `Not run: it waited ${sqlLimits.seconds} seconds for its turn behind other queries. Try again.`

/**
 * So many queries run in one process. Of more, each is stopped in its turn for longer by the others, and what it holds just
 * then (a place of PostgreSQL's buffers) keeps those who work with the console waiting.
 */
export function createPlaces() {
  const waiting = new Set<Waiting>()
  let free: number = sqlLimits.atOnce

  function leave(): void {
    const [next] = waiting
    if (next) next.begin()
    else free++
  }

  function given(): Place {
    let isLeft = false
    return {
      since: performance.now(),
      leave() {
        if (isLeft) return
        isLeft = true
        leave()
      },
    }
  }

  /** Until one is free; throws `Refused` when that takes as long as a query may. */
  function wait(id: string, signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      const drop = (why: Error) => {
        end()
        reject(why)
      }
      const begin = () => {
        end()
        resolve(given())
      }
      const one = { id, begin, drop }
      const giveUp = () => drop(cancelled())
      const timer = setTimeout(() => drop(new Refused(tooLong, null)), sqlLimits.seconds * 1000)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        waiting.delete(one)
      }
      signal.addEventListener('abort', giveUp)
      waiting.add(one)
    })
  }

  return {
    /** Whoever asks now need not wait. */
    hasFree: (): boolean => free > 0,
    /** Aborted while it waits, it fails as one that is cancelled. */
    async take(id: string, signal: AbortSignal): Promise<Place> {
      if (free === 0) return wait(id, signal)
      free--
      return given()
    },
    /** Cancels a query that waits here; answers whether it did. */
    cancel(id: string): boolean {
      const found = [...waiting].filter((one) => one.id === id)
      for (const one of found) one.drop(cancelled())
      return found.length > 0
    },
  }
}
