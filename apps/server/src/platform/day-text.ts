/** `11/21/2026` from `2026-11-21`, for sentences that the server writes. */
export const dayText = (day: string): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`
