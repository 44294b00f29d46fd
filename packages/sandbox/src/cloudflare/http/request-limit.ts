export type Standing = { blockedSeconds: number; remaining: number; resetSeconds: number }

export type RequestLimiter = (limit: number, blockMs: number) => Standing

const windowMs = 300_000

/** So many requests in five minutes; whoever asks more is refused everything for a while. */
export function requestLimiter(now: () => number): RequestLimiter {
  let began = now()
  let used = 0
  let blockedUntil = 0
  return (limit, blockMs) => {
    const at = now()
    const left = (until: number) => Math.max(0, Math.ceil((until - at) / 1000))
    if (limit === 0) {
      blockedUntil = 0
      return { blockedSeconds: 0, remaining: 1200, resetSeconds: 300 }
    }
    if (at < blockedUntil) return { blockedSeconds: left(blockedUntil), remaining: 0, resetSeconds: left(blockedUntil) }
    if (at - began >= windowMs || blockedUntil > 0) {
      began = at
      used = 0
      blockedUntil = 0
    }
    used += 1
    if (used <= limit) return { blockedSeconds: 0, remaining: limit - used, resetSeconds: left(began + windowMs) }
    blockedUntil = at + blockMs
    return { blockedSeconds: left(blockedUntil), remaining: 0, resetSeconds: left(blockedUntil) }
  }
}
