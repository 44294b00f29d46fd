export type LockKind = 'address' | 'account'

/** Seconds of a lock after the first, second, third, … wrong try; the last figure is that of all further ones. */
export const lockSecondsOf: Record<LockKind, readonly number[]> = {
  address: [0, 0, 0, 0, 60, 120, 300, 900, 1800, 3600],
  // From many addresses at once; short enough that nobody is kept out for long by what a stranger does.
  account: [0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 120, 300, 900],
}

/** Wrong tries are forgotten when this long none came. */
export const forgetAfterMs = 24 * 60 * 60_000

/** Tries of any outcome from one address in a minute; beyond them it waits. */
export const triesPerMinute = 120
