const lookEveryMs = 30_000
/** Starting, and then the jobs that begin with it. */
const settledAfterMs = [10_000, 19_000, 28_000]
/** One after the other, half a minute apart. */
const mostCollections = 3
/** With less of one core in use nobody notices the pause that a collection takes. */
const quietShare = 0.2
/** What must have come on top since the last collection for another one to be worth its pause. */
const worthBytes = 16 * 1024 * 1024

export type Held = { rssBytes: number; usedCpuMs: number }
export type HeldMemory = { read(): Held; collect(): void }

const heldMemory: HeldMemory = {
  read() {
    const { user, system } = process.cpuUsage()
    return { rssBytes: process.memoryUsage.rss(), usedCpuMs: (user + system) / 1000 }
  },
  // There where Node was started with `--expose-gc`. A last resort lets go of code that was not called lately, too.
  collect: () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
}

/**
 * After a load V8 keeps the pages that it has emptied for the next one, and lets them go after a whole collection only, which
 * a process without work does not come to. So one is asked for when it is quiet and much more is held than after the last one.
 * Loading and starting leave such pages too, and are collected in any case.
 */
export function giveBackMemory(
  memory: HeldMemory = heldMemory,
  { everyMs = lookEveryMs, settledMs = settledAfterMs } = {},
): () => void {
  let before = memory.read()
  let restingBytes = before.rssBytes
  let collections = 0

  const look = setInterval(() => {
    const now = memory.read()
    const isQuiet = now.usedCpuMs - before.usedCpuMs < everyMs * quietShare
    before = now
    // The pages go some seconds after a collection, some only after the next: what is held then is what this process needs.
    restingBytes = collections === mostCollections ? now.rssBytes : Math.min(restingBytes, now.rssBytes)
    const isWorthIt = isQuiet && now.rssBytes - restingBytes >= worthBytes
    collections = isWorthIt ? collections + 1 : 0
    if (isWorthIt) memory.collect()
  }, everyMs)
  look.unref()
  const settles = settledMs.map((ms) => setTimeout(() => memory.collect(), ms).unref())
  return () => {
    clearInterval(look)
    for (const settle of settles) clearTimeout(settle)
  }
}
