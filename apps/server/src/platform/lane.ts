import { within } from './within.ts'

export type Lane = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Does what it is given one after the other, in that order; what fails holds up nothing. What takes longer than `patienceMs`
 * is not waited for any more.
 */
export function createLane(patienceMs = Number.POSITIVE_INFINITY): Lane {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const answer = within(patienceMs, last)
      .catch(() => {})
      .then(work)
    last = answer
    return answer
  }
}
