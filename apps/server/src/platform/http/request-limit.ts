export const windowMs = 60_000
/** More than this within a minute are an attack: all of them together get no more memory. */
const mostKeys = 10_000

/** Answers whether it is among the first so many of its minute: those of each key, such as the address of who asks. */
export function createRequestLimit(clock: () => number, perMinute: number): (key: string) => boolean {
  let windowStart = 0
  let counts = new Map<string, number>()
  return (asked) => {
    const now = clock()
    if (now - windowStart >= windowMs || now < windowStart) {
      windowStart = now
      counts = new Map()
    }
    const key = counts.has(asked) || counts.size < mostKeys ? asked : ''
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= perMinute
  }
}
