import type { HealthPart, PartStatus } from '@agency/contract/health'
import type { ServiceKey, ServiceStatus } from '@agency/contract/monitoring'
import type { AppContext } from '../../context.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import { createDatabaseTrouble } from '../../platform/database-trouble.ts'
import { createLane } from '../../platform/lane.ts'
import { within } from '../../platform/within.ts'
import type { SeenService } from '../monitoring/index.ts'
import { measureBackups } from './backups.ts'
import { measureCloudflare } from './cloudflare.ts'
import { createEventLoopMeter, judgeEventLoop, type LoopDelay } from './event-loop.ts'
import { createMailProbe } from './mail-probe.ts'
import { findMirrorFacts, judgeMirror, judgeStripeCopy, judgeWebhooks } from './mirror.ts'
import {
  countJobs,
  type Disk,
  findDisk,
  judgeDisk,
  judgeJobs,
  type Measured,
  measureCache,
  measureDatabase,
  measureNetwork,
  withTrouble,
} from './parts.ts'
import { createProviderProbe } from './provider-probe.ts'

const partWithinMs = 6000

export type Judged = HealthPart & { responseMs: number | null }

/** What one look at everything found. */
export type Sample = {
  services: Record<ServiceKey, Judged>
  /** The mirror and its webhooks in one, as System Health shows them. */
  stripeCopy: Judged
  disk: Disk | null
  loop: LoopDelay | null
  jobsWaiting: number | null
}

/** Looks at the console and what it stands on; one per process. */
export function createSampler(ctx: AppContext) {
  const probe = createProviderProbe(ctx)
  const probeMail = createMailProbe(ctx)
  const loopMeter = createEventLoopMeter()
  const trouble = ctx.instance(createDatabaseTrouble)

  /** A part that cannot be measured is a part that does not work. */
  async function measure(work: () => Measured | Promise<Measured>): Promise<Judged> {
    const checked_at = new Date(ctx.clock()).toISOString()
    try {
      const { responseMs = null, ...found } = await within(partWithinMs, Promise.resolve().then(work))
      return { ...found, checked_at, responseMs }
    } catch (error) {
      const failure = databaseFailureOf(error)
      if (failure) trouble.note(failure)
      const reason = error instanceof Error ? error.message : String(error)
      return { status: 'error', detail: failure?.message ?? reason, checked_at, responseMs: null }
    }
  }

  async function take(): Promise<Sample> {
    const [disk, provider] = await Promise.all([findDisk(ctx.config.dataDir), probe()])
    const loop = loopMeter.read()
    // Nobody waits for a sample, and each connection costs megabytes.
    const inTurn = createLane()
    const queues = Promise.resolve().then(() => ctx.jobs.findQueues())
    const pinged = inTurn(() => measureDatabase(ctx))
    const facts = inTurn(() => findMirrorFacts(ctx))
    // They may fail before those who wait for them begin to.
    for (const found of [pinged, facts]) found.catch(() => {})
    const jobsWaiting = queues.then(
      (found) => countJobs(found, 'waiting'),
      () => null,
    )
    const [
      database,
      jobs,
      cache,
      storage,
      network,
      event_loop,
      mail,
      stripe,
      cloudflare,
      webhooks,
      mirror,
      backups,
      stripeCopy,
    ] = await Promise.all([
      measure(async () => withTrouble(await pinged, trouble.current())),
      measure(async () => judgeJobs(await queues)),
      measure(() => measureCache(ctx)),
      measure(() => judgeDisk(disk)),
      measure(() => inTurn(() => measureNetwork(ctx, provider))),
      measure(() => judgeEventLoop(loop)),
      measure(probeMail),
      measure(() => provider),
      measure(() => inTurn(() => measureCloudflare(ctx))),
      measure(async () => judgeWebhooks(await facts)),
      measure(async () => judgeMirror(await facts)),
      measure(() => inTurn(() => measureBackups(ctx))),
      measure(async () => judgeStripeCopy(await facts)),
    ])
    return {
      services: {
        database,
        jobs,
        cache,
        storage,
        network,
        event_loop,
        mail,
        stripe,
        cloudflare,
        webhooks,
        mirror,
        backups,
      },
      ...{ stripeCopy, disk, loop, jobsWaiting: await jobsWaiting },
    }
  }

  return { take, stop: loopMeter.stop }
}

const serviceStatusOf: Record<PartStatus, ServiceStatus> = {
  healthy: 'healthy',
  warning: 'degraded',
  error: 'unhealthy',
  unknown: 'unknown',
}

export const toSeen = ({ services }: Sample): SeenService[] =>
  (Object.entries(services) as [ServiceKey, Judged][]).map(([key, { status, detail, responseMs }]) => ({
    ...{ key, status: serviceStatusOf[status], detail, responseMs },
  }))
