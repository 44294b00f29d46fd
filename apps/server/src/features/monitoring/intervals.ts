/** The samples come every 15 seconds and never exactly: a service is due a little before its 30 seconds are over. */
export const dueAfterMs = 25_000
/** A check tells of the time until the next one, but of no more than three intervals. */
export const staleAfterMs = 90_000

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const hourOf = (ms: number): number => Math.floor(ms / hourMs) * hourMs
