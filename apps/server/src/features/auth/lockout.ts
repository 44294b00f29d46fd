/** Seconds that an address is locked after its first, second, third, … wrong key; the last figure is that of all further ones. */
export const lockSeconds: readonly number[] = [0, 0, 0, 0, 60, 120, 300, 900, 1800, 3600]

/** Wrong keys are forgotten when this long none came. */
export const forgetAfterMs = 24 * 60 * 60_000

/** Tries of any outcome from one address in a minute; beyond them it waits. */
export const triesPerMinute = 120
