import type { HealthPart, Performance, SystemHealth } from '@agency/contract/health'
import type { AppContext } from '../../context.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import { createDatabaseTrouble } from '../../platform/database-trouble.ts'
import { within } from '../../platform/within.ts'
import { measureCloudflare } from './cloudflare.ts'
import { worstOf } from './overall.ts'
import {
  type Disk,
  findDisk,
  judgeDisk,
  type Measured,
  measureCache,
  measureDatabase,
  measureJobs,
  measureMirror,
  measureNetwork,
  withTrouble,
} from './parts.ts'
import { createProcessorMeter, measureMemory } from './processor.ts'
import { createProviderProbe } from './provider-probe.ts'
import { findUptimePercent, recordMinute } from './queries.ts'

const partNames = ['database', 'cache', 'storage', 'network', 'stripe', 'cloudflare', 'jobs'] as const
type PartName = (typeof partNames)[number]
type Parts = Record<PartName, HealthPart>
export type HealthAnswer = { health: SystemHealth; performance: Performance }

const sampleEveryMs = 15_000
const partWithinMs = 6000

/** Measures the console and what it stands on; one per process. */
export function createHealthMonitor(ctx: AppContext) {
  const startedAt = performance.now()
  const processor = createProcessorMeter()
  const probe = createProviderProbe(ctx)
  const trouble = ctx.instance(createDatabaseTrouble)
  let timer: NodeJS.Timeout | undefined
  let latest:
    | { parts: Parts; overall: SystemHealth['overall']; since: number; at: number; disk: Disk | null }
    | undefined
  let uptimePercent: number | null = null
  let cpuPercent: number | null = null
  let running: Promise<void> | undefined

  /** A part that cannot be measured is a part that does not work. */
  async function measure(work: () => Measured | Promise<Measured>): Promise<HealthPart> {
    const checked_at = new Date(ctx.clock()).toISOString()
    try {
      return { ...(await within(partWithinMs, Promise.resolve().then(work))), checked_at }
    } catch (error) {
      const failure = databaseFailureOf(error)
      if (failure) trouble.note(failure)
      const reason = error instanceof Error ? error.message : String(error)
      return { status: 'error', detail: failure?.message ?? reason, checked_at }
    }
  }

  async function takeSample(): Promise<void> {
    const [disk, provider] = await Promise.all([findDisk(ctx.config.dataDir), probe()])
    const [database, cache, storage, network, stripe, cloudflare, jobs] = await Promise.all([
      measure(async () => withTrouble(await measureDatabase(ctx), trouble.current())),
      measure(() => measureCache(ctx)),
      measure(() => judgeDisk(disk)),
      measure(() => measureNetwork(ctx, provider)),
      measure(() => measureMirror(ctx)),
      measure(() => measureCloudflare(ctx)),
      measure(() => measureJobs(ctx)),
    ])
    const parts = { database, cache, storage, network, stripe, cloudflare, jobs }
    const overall = worstOf(Object.values(parts))
    const before = latest
    const at = ctx.clock()
    latest = { parts, overall, at, since: before?.overall === overall ? before.since : at, disk }
    cpuPercent = processor.percent()
    if (database.status !== 'error') await keepMinute(at, overall)
    if (before && partNames.some((name) => before.parts[name].status !== parts[name].status)) ctx.changes.tell('health')
  }

  async function keepMinute(at: number, overall: string): Promise<void> {
    try {
      await recordMinute(ctx, new Date(at), overall)
      uptimePercent = await findUptimePercent(ctx, new Date(at))
    } catch (error) {
      const failure = databaseFailureOf(error)
      if (failure) trouble.note(failure)
      ctx.log.warn({ err: error, part: 'health' }, 'could not keep the state of this minute')
    }
  }

  function sample(): Promise<void> {
    running ??= takeSample().finally(() => {
      running = undefined
    })
    return running
  }

  function describe(now: NonNullable<typeof latest>): HealthAnswer {
    const requests = ctx.metrics.requests.figures()
    const memory = measureMemory()
    const { disk } = now
    return {
      health: {
        overall: now.overall,
        since: new Date(now.since).toISOString(),
        ...now.parts,
        unexpected_restarts: ctx.config.keeper.falls,
        uptime: (performance.now() - startedAt) / 1000,
        uptime_percent_24h: uptimePercent,
        lastCheck: new Date(now.at).toISOString(),
      },
      performance: {
        response_time_ms: requests.meanMs,
        response_time_p95_ms: requests.p95Ms,
        error_rate_percent: requests.requests === 0 ? null : (100 * requests.errors) / requests.requests,
        requests: requests.requests,
        cpu_percent: cpuPercent,
        memory_percent: memory.percent,
        memory_bytes: memory.bytes,
        storage_percent: disk ? 100 * (1 - disk.freeBytes / disk.totalBytes) : null,
        storage_free_bytes: disk?.freeBytes ?? null,
        measured_at: new Date(now.at).toISOString(),
      },
    }
  }

  return {
    start(): void {
      processor.percent()
      timer ??= setInterval(() => void sample(), sampleEveryMs)
      void sample()
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
    },
    sample,
    /** The last sample; takes one when there is none, or none that is fresh. */
    async current(): Promise<HealthAnswer> {
      if (!latest || ctx.clock() - latest.at > 4 * sampleEveryMs) await sample()
      return describe(latest!)
    },
  }
}
