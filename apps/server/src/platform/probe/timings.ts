/** Milliseconds of each part of one request; null: it did not get that far, or there was no such part. */
export type Timings = {
  dns: number | null
  connect: number | null
  tls: number | null
  ttfb: number | null
  download: number | null
}

export const noTimings = (): Timings => ({ dns: null, connect: null, tls: null, ttfb: null, download: null })

/** A clock for one part after the other. */
export function stopwatch(): () => number {
  let last = performance.now()
  return () => {
    const now = performance.now()
    const passed = now - last
    last = now
    return Math.round(passed * 100) / 100
  }
}
