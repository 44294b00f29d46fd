/** A bucket that refills steadily; a burst may use what a second gives. */
export function rateLimiter(perSecond: number, now: () => number): () => boolean {
  if (perSecond <= 0) return () => true
  let tokens = perSecond
  let last = now()
  return () => {
    const at = now()
    tokens = Math.min(perSecond, tokens + ((at - last) / 1000) * perSecond)
    last = at
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
