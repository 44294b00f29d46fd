import { statfs } from 'node:fs/promises'
import type { HealthPart, PartStatus } from '@agency/contract/health'
import type { AppContext } from '../../context.ts'
import { createCaches } from '../../platform/caches.ts'
import { counted } from '../../platform/counted.ts'
import type { Trouble } from '../../platform/database-trouble.ts'
import type { QueueState } from '../../platform/jobs.ts'
import { within } from '../../platform/within.ts'
import { findOutage } from '../probes/index.ts'
import { findDatabaseSize, ping } from './queries.ts'
import { bytesText, durationText } from './words.ts'

/** `responseMs`: of what was asked; left out where nothing was, or did not answer. */
export type Measured = Pick<HealthPart, 'status' | 'detail'> & { responseMs?: number }

const slowMs = 250
const verySlowMs = 2000
const answerWithinMs = 5000
const gib = 1024 ** 3

export const part = (status: PartStatus, detail: string): Measured => ({ status, detail })

export async function measureDatabase(ctx: AppContext): Promise<Measured> {
  const started = performance.now()
  await within(answerWithinMs, ping(ctx))
  const ms = performance.now() - started
  const { totalCount, idleCount, waitingCount } = ctx.pool
  const connections = `${totalCount - idleCount} of ${ctx.pool.options.max} connections busy`
  const queue = waitingCount > 0 ? `, ${counted(waitingCount, 'query', 'queries')} waiting` : ''
  const size = bytesText(await findDatabaseSize(ctx))
  const detail = `Answers in ${ms.toFixed(1)} ms; ${connections}${queue}; ${size}`
  const isSlow = ms >= slowMs || waitingCount > ctx.pool.options.max
  const status = ms >= verySlowMs ? 'error' : isSlow ? 'warning' : 'healthy'
  return { ...part(status, detail), responseMs: ms }
}

/** It answers, and yet it did not do what it was asked a moment ago. */
export function withTrouble(measured: Measured, trouble: Trouble | undefined): Measured {
  if (!trouble) return measured
  const status = trouble.cause === 'lost' || trouble.cause === 'slow' ? 'warning' : 'error'
  const worse = measured.status === 'error' ? 'error' : status
  return { ...measured, ...part(worse, `${trouble.message} ${measured.detail}`) }
}

export function measureCache({ changes, instance }: AppContext): Measured {
  const caches = instance(createCaches)
  const { hits, misses } = caches.countsOf('answers')
  const sizes = caches.all.filter(({ name }) => name === 'answers').map((cache) => cache.size())
  const entries = sizes.reduce((sum, { keys }) => sum + keys, 0)
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0)
  if (!changes.isListening()) return part('warning', 'Live changes not received, so nothing is served from memory')
  const asked = hits + misses
  const share =
    asked === 0 ? 'not used yet' : `${((100 * hits) / asked).toFixed(1)}% of ${counted(asked, 'read')} from memory`
  return part('healthy', `${counted(entries, 'answer')} held, ${bytesText(bytes)}; ${share}`)
}

export type Disk = { freeBytes: number; totalBytes: number }

export async function findDisk(folder: string): Promise<Disk | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

export function judgeDisk(disk: Disk | null): Measured {
  if (!disk || disk.totalBytes === 0) return part('unknown', 'The data folder is not on this machine')
  const free = disk.freeBytes / disk.totalBytes
  const detail = `${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} free`
  if (free < 0.02 || disk.freeBytes < 0.2 * gib) return part('error', detail)
  return part(free < 0.1 || disk.freeBytes < gib ? 'warning' : 'healthy', detail)
}

/** Whether the provider is reached, and whether the customers' sites could be asked. */
export async function measureNetwork(ctx: AppContext, provider: Measured): Promise<Measured> {
  const outage = await findOutage(ctx)
  if (!outage) return provider
  const since = durationText(ctx.clock() - outage.since.getTime())
  const detail = `No site could be checked for ${since}: ${outage.detail}; ${provider.detail}`
  return part(provider.status === 'error' ? 'error' : 'warning', detail)
}

const manyWaiting = 1000

export const countJobs = (queues: readonly QueueState[], of: 'waiting' | 'running' | 'failed'): number =>
  queues.reduce((total, queue) => total + queue[of], 0)

export function judgeJobs(queues: readonly QueueState[]): Measured {
  const sum = (of: 'waiting' | 'running' | 'failed') => countJobs(queues, of)
  const failed = sum('failed') > 0 ? `, ${counted(sum('failed'), 'failed job')} kept` : ''
  const detail = `${counted(sum('waiting'), 'job')} waiting, ${sum('running')} running${failed}`
  return part(sum('waiting') > manyWaiting ? 'warning' : 'healthy', detail)
}
