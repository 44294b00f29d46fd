const windowMs = 60_000
const perWindow = 120
/** More addresses than this within a minute are an attack: all of them together get no more memory. */
const mostAddresses = 10_000

/** So many requests a minute from one address. */
export function createLimit(clock: () => number): (address: string) => boolean {
  let windowStart = 0
  let counts = new Map<string, number>()
  return (address) => {
    const now = clock()
    if (now - windowStart >= windowMs || now < windowStart) {
      windowStart = now
      counts = new Map()
    }
    const key = counts.has(address) || counts.size < mostAddresses ? address : ''
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= perWindow
  }
}
