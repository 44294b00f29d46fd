import { AppError } from '../../platform/errors.ts'

const atOnce = 2
const places = 42

type Run = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Keeps a flood of wrong keys from many addresses from taking the threads that files and compression need.
 * `withPlace` is for a whole sign-in: it throws `too_many_requests` when too many are under way, before the try is
 * counted, so that nobody is locked for having had to wait. `inTurn` runs the slow hashes in it at most two at once.
 */
export function createTurns(): { withPlace: Run; inTurn: Run } {
  let taken = 0
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async withPlace(work) {
      if (taken >= places)
        throw new AppError('too_many_requests', 'Too many sign-ins at once. Try again in a moment.', { retryAfter: 5 })
      taken++
      try {
        return await work()
      } finally {
        taken--
      }
    },
    async inTurn(work) {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
