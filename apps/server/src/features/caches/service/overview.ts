import { randomUUID } from 'node:crypto'
import type { CacheName, CacheOverview, CacheProcess, CacheState } from '@agency/contract/caches'
import type { AppContext } from '../../../context.ts'
import { createCaches, type KeptCache } from '../../../platform/caches.ts'
import { shownMs, unseenMs } from '../keeper.ts'
import { insertCommand } from '../queries/commands.ts'
import { findHistory, findStates, type HeldRow } from '../queries/overview.ts'
import { findProcesses, saveStates } from '../queries/processes.ts'
import { gather } from './ask.ts'

/** Those of the database are measured by whoever looks: they are the same for all. */
async function measureKept(ctx: AppContext, kept: readonly KeptCache[]): Promise<void> {
  const caches = ctx.instance(createCaches)
  const states = await Promise.all(
    kept.map(async (cache) => {
      const { loads, loadMs } = caches.countsOf(cache.name)
      const size = await cache.size(ctx)
      return { name: cache.name, ...size, last_eviction_at: null, load_ms: loads === 0 ? null : loadMs / loads }
    }),
  )
  await saveStates(ctx.db, '', states, new Date(ctx.clock()))
}

const mb = 1024 * 1024
const sum = (rows: readonly HeldRow[], of: 'keys' | 'bytes' | 'hits' | 'misses'): number =>
  rows.reduce((total, row) => total + row[of], 0)
const latest = (instants: readonly (string | null)[]): string | null =>
  instants.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null)
const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10

function statsOf(rows: readonly HeldRow[]): CacheOverview['stats'] {
  const hits = sum(rows, 'hits')
  const misses = sum(rows, 'misses')
  return {
    total_keys: sum(rows, 'keys'),
    memory_usage: Math.round((sum(rows, 'bytes') / mb) * 100) / 100,
    hit_rate: percent(hits, hits + misses),
    miss_rate: percent(misses, hits + misses),
    last_eviction: latest(rows.map(({ last_eviction }) => last_eviction)),
  }
}

const shown = ({ process, name, ...row }: HeldRow, processes: ReadonlyMap<string, CacheProcess>): CacheState => ({
  id: `${process} ${name}`.trim(),
  // Names are those of the caches that this version makes.
  name: name as CacheName,
  process: processes.get(process) ?? null,
  ...row,
})

export async function getOverview(
  ctx: AppContext,
  kept: readonly KeptCache[],
  silent: CacheProcess[] = [],
): Promise<CacheOverview> {
  const now = ctx.clock()
  await measureKept(ctx, kept)
  const since = new Date(now - shownMs)
  const [all, history, processes] = await Promise.all([
    findStates(ctx.db, since),
    findHistory(ctx.db, since),
    findProcesses(ctx.db, new Date(now - unseenMs)),
  ])
  const known = new Map(processes.map((process) => [process.id, process]))
  const rows = all.filter(({ process }) => process === '' || known.has(process))
  const ages = rows.map(({ as_of }) => as_of).sort()
  return {
    stats: statsOf(rows),
    caches: rows.map((row) => shown(row, known)),
    history: history.map((point) => ({ ...point, name: point.name as CacheName })),
    as_of: ages[0] ?? null,
    silent,
  }
}

/** Every process says first what it holds now. */
export async function refresh(ctx: AppContext, kept: readonly KeptCache[]): Promise<CacheOverview> {
  const command = { id: randomUUID(), kind: 'report', name: null, pattern: null } as const
  await insertCommand(ctx.db, command, new Date(ctx.clock()))
  const { silent } = await gather(ctx, command.id)
  return getOverview(ctx, kept, silent)
}
