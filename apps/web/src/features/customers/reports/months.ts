/** The months that can be reported on, newest first, in UTC; the running one among them. */
export function monthsUntil(now: number, count = 13): { value: string; label: string }[] {
  const date = new Date(now)
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1))
    const name = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first)
    return { value: first.toISOString().slice(0, 7), label: back === 0 ? `${name} (so far)` : name }
  })
}
