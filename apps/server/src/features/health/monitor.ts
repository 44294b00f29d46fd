import type { HealthPart, Performance, SystemHealth } from '@agency/contract/health'
import type { AppContext } from '../../context.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import { createDatabaseTrouble } from '../../platform/database-trouble.ts'
import { recordMinute, recordServices } from '../monitoring/index.ts'
import { createMinuteGauges, requestValues, type Sampled } from './minute.ts'
import { worstOf } from './overall.ts'
import type { Disk } from './parts.ts'
import { createProcessorMeter, measureMemory } from './processor.ts'
import { findBackupFigures, findUptimePercent, recordHealthMinute } from './queries.ts'
import { createSampler, type Judged, type Sample, toSeen } from './sample.ts'

const partNames = ['database', 'cache', 'storage', 'network', 'stripe', 'cloudflare', 'jobs'] as const
type PartName = (typeof partNames)[number]
type Parts = Record<PartName, HealthPart>
export type HealthAnswer = { health: SystemHealth; performance: Performance }

const sampleEveryMs = 15_000
const minuteMs = 60_000

const toPart = ({ status, detail, checked_at }: Judged): HealthPart => ({ status, detail, checked_at })

function partsOf({ services, stripeCopy }: Sample): Parts {
  const { database, cache, storage, network, cloudflare, jobs } = services
  return {
    database: toPart(database),
    cache: toPart(cache),
    storage: toPart(storage),
    network: toPart(network),
    stripe: toPart(stripeCopy),
    cloudflare: toPart(cloudflare),
    jobs: toPart(jobs),
  }
}

const storagePercent = (disk: Disk | null) => (disk ? 100 * (1 - disk.freeBytes / disk.totalBytes) : null)

/** Measures the console and what it stands on, and keeps it for monitoring; one per process. */
export function createHealthMonitor(ctx: AppContext) {
  const startedAt = performance.now()
  const processor = createProcessorMeter()
  const minuteProcessor = createProcessorMeter(minuteMs)
  const sampler = createSampler(ctx)
  const gauges = createMinuteGauges()
  const trouble = ctx.instance(createDatabaseTrouble)
  let timer: NodeJS.Timeout | undefined
  let latest:
    | { parts: Parts; overall: SystemHealth['overall']; since: number; at: number; disk: Disk | null }
    | undefined
  let uptimePercent: number | null = null
  let backupProvenAt: Date | null = null
  let cpuPercent: number | null = null
  let running: Promise<void> | undefined

  async function takeSample(): Promise<void> {
    const sample = await sampler.take()
    const parts = partsOf(sample)
    const overall = worstOf(Object.values(parts))
    const before = latest
    const at = ctx.clock()
    latest = { parts, overall, at, since: before?.overall === overall ? before.since : at, disk: sample.disk }
    cpuPercent = processor.percent()
    if (parts.database.status !== 'error')
      await keep('the state of this minute', async () => {
        await recordHealthMinute(ctx, new Date(at), overall)
        uptimePercent = await findUptimePercent(ctx, new Date(at))
        backupProvenAt = (await findBackupFigures(ctx)).provenAt
      })
    await keepForMonitoring(sample, at)
    if (before && partNames.some((name) => before.parts[name].status !== parts[name].status)) ctx.changes.tell('health')
  }

  /** A database that did not answer a moment ago would only keep the next sample waiting. */
  async function keepForMonitoring(sample: Sample, at: number): Promise<void> {
    const over = gauges.take(at, sampledOf(sample))
    if (sample.services.database.responseMs === null) return
    await keep('how the services are', () => recordServices(ctx, toSeen(sample), new Date(at)))
    if (over)
      await keep('the figures of a minute', () =>
        recordMinute(ctx, new Date(over.minute), [...over.values, ...requestValues(ctx.metrics, over.minute)]),
      )
  }

  function sampledOf({ disk, loop, jobsWaiting }: Sample): Sampled {
    const { totalCount, idleCount, options } = ctx.pool
    return {
      memory_percent: measureMemory().percent,
      cpu_percent: minuteProcessor.percent(),
      storage_percent: storagePercent(disk),
      event_loop_p99_ms: loop && { value: loop.p99Ms, max: loop.maxMs },
      database_connections_percent: (100 * (totalCount - idleCount)) / options.max,
      queue_depth: jobsWaiting,
    }
  }

  async function keep(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const failure = databaseFailureOf(error)
      if (failure) trouble.note(failure)
      ctx.log.warn({ err: error, part: 'health' }, `could not keep ${what}`)
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
        backup_proven_at: backupProvenAt?.toISOString() ?? null,
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
        storage_percent: storagePercent(disk),
        storage_free_bytes: disk?.freeBytes ?? null,
        measured_at: new Date(now.at).toISOString(),
      },
    }
  }

  return {
    start(): void {
      processor.percent()
      minuteProcessor.percent()
      timer ??= setInterval(() => void sample(), sampleEveryMs)
      void sample()
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
      sampler.stop()
    },
    sample,
    /** The last sample; takes one when there is none, or none that is fresh. */
    async current(): Promise<HealthAnswer> {
      if (!latest || ctx.clock() - latest.at > 4 * sampleEveryMs) await sample()
      return describe(latest!)
    },
  }
}
