import { sqlLimits } from '@agency/contract/sql-console'
import { cancelled } from './explain-failure.ts'
import { Refused } from './guard/refused.ts'

export type Place = {
  /** When it was given, as `performance.now()`. */
  since: number
  /** Gives it to whoever waits longest; again it does nothing. */
  leave(): void
}

type Waiting = { begin: () => void; drop: (why: Error) => void }

/**
 * So many queries run in one process. Of more, each is stopped in its turn for longer by the others, and what it holds just
 * then (a place of PostgreSQL's buffers) keeps those who work with the console waiting.
 */
export function createPlaces() {
  const waiting = new Map<string, Waiting>()
  let free: number = sqlLimits.atOnce

  function leave(): void {
    const [next] = waiting.values()
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
  function wait(id: string): Promise<Place> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      const drop = (why: Error) => {
        end()
        reject(why)
      }
      const tooLong = `Not run: ${sqlLimits.atOnce} other queries ran for all of the ${sqlLimits.seconds} seconds`
      const timer = setTimeout(() => drop(new Refused(tooLong, null)), sqlLimits.seconds * 1000)
      waiting.set(id, {
        begin() {
          end()
          resolve(given())
        },
        drop,
      })
    })
  }

  return {
    async take(id: string): Promise<Place> {
      if (free === 0) return wait(id)
      free--
      return given()
    },
    /** Cancels a query that waits here; answers whether it did. */
    cancel(id: string): boolean {
      const found = waiting.get(id)
      found?.drop(cancelled())
      return found !== undefined
    },
  }
}
