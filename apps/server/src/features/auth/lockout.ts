/**
 * What a wrong try counts against: one account, or the admin key, from one address; everything from that address; all clients
 * of a proxy that is not trusted; one account from anywhere.
 */
export type LockRule = 'address' | 'everything' | 'proxy' | 'account'

const after = (free: number, ...seconds: number[]): readonly number[] => [
  ...Array<number>(free - 1).fill(0),
  ...seconds,
]

/** Seconds of a lock after the first, second, third, … wrong try; the last figure is that of all further ones. */
export const lockSecondsOf: Record<LockRule, readonly number[]> = {
  address: after(5, 60, 120, 300, 900, 1800, 3600),
  // An office or a proxy may stand behind it, so that nobody can keep all of them out for long.
  everything: after(20, 60, 120, 300),
  // What a proxy says of its clients may be invented, so it must not be a way around the others.
  proxy: after(100, 60),
  // From many addresses at once; short enough that nobody is kept out for long by what a stranger does.
  account: after(10, 60, 120, 300, 900),
}

const firstLock = (rule: LockRule): number => lockSecondsOf[rule].findIndex((seconds) => seconds > 0) + 1

export const triesBeforeLock: Record<LockRule, number> = {
  address: firstLock('address'),
  everything: firstLock('everything'),
  proxy: firstLock('proxy'),
  account: firstLock('account'),
}

/** Wrong tries are forgotten when this long none came. */
export const forgetAfterMs = 24 * 60 * 60_000

/** Tries of any outcome from one address in a minute; beyond them it waits. */
export const triesPerMinute = 120
