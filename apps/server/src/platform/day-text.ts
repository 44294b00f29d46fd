/** `11/21/2026` from `2026-11-21`, for sentences that the server writes. */
export const dayText = (day: string): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`

/** `Nov 21, 2026`, by UTC. */
export const shortDayText = (at: Date): string =>
  at.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** `November 21, 2026 at 9:05 AM UTC`, for whoever may be anywhere. */
export const utcText = (at: Date | string): string =>
  `${new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
