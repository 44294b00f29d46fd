import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type AppContext, inTransaction } from '../../context.ts'
import { type CacheCounts, createCaches, type Found, type Matches } from '../../platform/caches.ts'
import { globMatcher } from '../../platform/glob.ts'
import { keepWritten } from '../../platform/keep-written.ts'
import { type Command, findOpenCommands, insertReplies, type Reply } from './queries/commands.ts'
import { addToSlot, deleteProcess, forgetOld, type ProcessRow, saveProcess, saveStates } from './queries/processes.ts'

const everyMs = 60_000
const slotMs = 10 * 60_000
export const shownMs = 24 * 3_600_000
/** One that missed two of its turns has ended. */
export const unseenMs = 150_000
/** Nobody waits longer for an answer. */
const commandMs = 30_000
export const mostSamples = 20

type Counted = Pick<CacheCounts, 'hits' | 'misses' | 'evictions'>
const nothing: Counted = { hits: 0, misses: 0, evictions: 0 }

export const matcherOf = ({ pattern }: Pick<Command, 'pattern'>): Matches =>
  pattern === null ? () => true : globMatcher(pattern)

/** Says once a minute what the caches of this process hold, and does what all processes are asked to do with theirs. */
export function createCacheKeeper(ctx: AppContext) {
  const caches = ctx.instance(createCaches)
  const written = new Map<string, Counted>()
  const own: ProcessRow = {
    ...{ id: randomUUID(), role: 'console', host: hostname(), pid: process.pid },
    started_at: new Date(ctx.clock()).toISOString(),
  }

  function counted() {
    return caches.names().map((name) => {
      const { hits, misses, evictions } = caches.countsOf(name)
      const before = written.get(name) ?? nothing
      const now = { hits, misses, evictions }
      return {
        now,
        row: {
          name,
          hits: hits - before.hits,
          misses: misses - before.misses,
          evictions: evictions - before.evictions,
        },
      }
    })
  }

  function states() {
    const names = [...new Set(caches.all.map(({ name }) => name))]
    return names.map((name) => {
      const sizes = caches.all.filter((cache) => cache.name === name).map((cache) => cache.size())
      const { loads, loadMs, lastEvictionMs } = caches.countsOf(name)
      return {
        name,
        keys: sizes.reduce((sum, { keys }) => sum + keys, 0),
        bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
        last_eviction_at: lastEvictionMs === null ? null : new Date(lastEvictionMs),
        load_ms: loads === 0 ? null : loadMs / loads,
      }
    })
  }

  async function report(): Promise<void> {
    const now = ctx.clock()
    const at = new Date(now)
    const counts = counted()
    await inTransaction(ctx, async ({ db }) => {
      await saveProcess(db, own, at)
      await saveStates(db, own.id, states(), at)
      const changed = counts.map(({ row }) => row).filter((row) => row.hits + row.misses + row.evictions > 0)
      await addToSlot(db, own.id, new Date(Math.floor(now / slotMs) * slotMs), changed)
    })
    for (const { row, now: all } of counts) written.set(row.name, all)
    await forgetOld(ctx.db, { unseenSince: new Date(now - unseenMs), slotsBefore: new Date(now - shownMs - slotMs) })
  }

  async function answer(command: Command): Promise<Reply[]> {
    if (command.kind === 'report') {
      await report()
      return [{ process: own.id, name: '', keys: 0, samples: [] }]
    }
    const matches = matcherOf(command)
    const found = new Map<string, Found>()
    for (const cache of caches.all) {
      if (command.name !== null && cache.name !== command.name) continue
      const before = found.get(cache.name) ?? { keys: 0, samples: [] }
      const now =
        command.kind === 'find'
          ? await cache.find(matches, mostSamples)
          : { keys: await cache.clear(matches), samples: [] }
      found.set(cache.name, {
        keys: before.keys + now.keys,
        samples: [...before.samples, ...now.samples].slice(0, mostSamples),
      })
    }
    // Whoever looks next sees what is left.
    if (command.kind === 'clear') await report()
    // That it was asked and has nothing of that name is an answer, too.
    if (found.size === 0) found.set('', { keys: 0, samples: [] })
    return [...found].map(([name, each]) => ({ process: own.id, name, ...each }))
  }

  async function answerOpen(): Promise<void> {
    for (const command of await findOpenCommands(ctx.db, own.id, new Date(ctx.clock() - commandMs)))
      await insertReplies(ctx.db, command.id, await answer(command))
  }

  const reports = keepWritten(ctx, { what: 'what the caches hold', topics: [], gatherMs: 0, everyMs, write: report })
  const replies = keepWritten(ctx, {
    what: 'what was asked of the caches',
    ...{ topics: ['caches'], gatherMs: 0, write: answerOpen },
  })
  return {
    id: own.id,
    /** What was asked until now is answered. */
    answerNow: replies.now,
    start(role: ProcessRow['role']): void {
      own.role = role
      reports.start()
      replies.start()
      reports.plan()
    },
    async stop(): Promise<void> {
      await replies.stop()
      await reports.stop()
      await deleteProcess(ctx.db, own.id).catch(() => {})
    },
  }
}
