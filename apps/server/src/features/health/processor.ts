import { availableParallelism, totalmem } from 'node:os'

/** Share of all cores that this process used between two calls: the server, the sandbox thread, not the database. */
export function createProcessorMeter(windowMs = 5 * 60_000, now: () => number = () => performance.now()) {
  const readings: { at: number; used: number }[] = []
  return {
    percent(): number | null {
      const { user, system } = process.cpuUsage()
      const at = now()
      readings.push({ at, used: (user + system) / 1000 })
      while (readings.length > 2 && at - readings[0]!.at > windowMs) readings.shift()
      const [first] = readings
      const elapsed = at - first!.at
      if (elapsed < 1000) return null
      return (100 * (readings.at(-1)!.used - first!.used)) / elapsed / availableParallelism()
    },
  }
}

/** What this process holds, and of how much: a container's limit where there is one. */
export function measureMemory(): { bytes: number; percent: number } {
  const bytes = process.memoryUsage.rss()
  const limit = process.constrainedMemory()
  const total = limit > 0 && limit < totalmem() ? limit : totalmem()
  return { bytes, percent: (100 * bytes) / total }
}
