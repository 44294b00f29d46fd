import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Measured, part } from './parts.ts'

const resolutionMs = 10
const slowMs = 250
const verySlowMs = 2000

export type LoopDelay = { p99Ms: number; maxMs: number }

/** How late this process is to do what is due. */
export function createEventLoopMeter() {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const toMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  return {
    /** Since the last question; null when there was nothing to measure yet. */
    read(): LoopDelay | null {
      if (histogram.count === 0) return null
      const delay = { p99Ms: toMs(histogram.percentile(99)), maxMs: toMs(histogram.max) }
      histogram.reset()
      return delay
    },
    stop: () => void histogram.disable(),
  }
}

export function judgeEventLoop(delay: LoopDelay | null): Measured {
  if (!delay) return part('unknown', 'Not measured yet')
  const { p99Ms, maxMs } = delay
  const status = p99Ms >= verySlowMs ? 'error' : p99Ms >= slowMs ? 'warning' : 'healthy'
  const detail = `Late by ${p99Ms.toFixed(1)} ms (p99), at most ${maxMs.toFixed(1)} ms`
  return { ...part(status, detail), responseMs: p99Ms }
}
