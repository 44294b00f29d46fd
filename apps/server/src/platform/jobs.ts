import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { DB } from '../db/types.ts'

export type JobSettings<Input extends z.ZodType = z.ZodType> = {
  /** `<domain>.<verb>` */
  name: string
  input: Input
  /** Cron, five fields, UTC. Runs with an empty input. */
  schedule?: string
  /** Further tries after a failure; each waits longer, from `retryDelayS` up to `retryDelayMaxS`. */
  retries?: number
  retryDelayS?: number
  retryDelayMaxS?: number
  /** A run that takes longer counts as failed. */
  expireS?: number
  /** Runs of this queue at the same time in one process. */
  concurrency?: number
  /** `key`: runs with the same key one after the other; `one`: at most one waits or runs, a second is dropped. */
  policy?: 'key' | 'one'
}

export type JobRun = {
  id: string
  /** 1 for the first try. */
  attempt: number
  isLastAttempt: boolean
  /** Aborted when the process stops or the run has expired. */
  signal: AbortSignal
}

export type EnqueueOptions = {
  /** With the policies `key` and `one`: what it stands for. */
  key?: string
  startAfter?: Date
}

export type QueueState = {
  name: string
  waiting: number
  running: number
  failed: number
  oldestWaitingAt: Date | null
}

export type Jobs = {
  /** Within the transaction of `where`, if it is one. Returns null when an equal job waits already. */
  enqueue<Input extends z.ZodType>(
    where: { db: Kysely<DB> },
    job: JobSettings<Input>,
    input: z.input<Input>,
    options?: EnqueueOptions,
  ): Promise<string | null>
  work<Input extends z.ZodType>(
    job: JobSettings<Input>,
    handle: (input: z.output<Input>, run: JobRun) => Promise<void>,
  ): Promise<void>
  findQueues(): Promise<QueueState[]>
  /** Lets running jobs finish for a while, then gives them back to the queue. */
  stop(): Promise<void>
}
