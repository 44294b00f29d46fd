import { z } from 'zod'
import type { RequestContext, TransactionContext } from '../../context.ts'
import type { ChangeTopic } from '../changes.ts'
import type { JobGuard, JobSettings } from '../jobs.ts'
import type { RunRow, StepRow } from './queries.ts'

/** How a step ended. What it leaves behind is recorded together with that, or not at all. */
export type Outcome = {
  state: 'done' | 'skipped'
  note?: string | null
  /** The provider's own number of the request. */
  requestId?: string | null
  record?: (tx: TransactionContext) => Promise<void>
}

/** It is not its time yet: it is asked again then, which is no failed try. */
export type Later = { state: 'later'; until: Date; note?: string | null }

/** What a step that takes long goes by. */
export type StepWork = {
  /** Aborted when the process stops, the run was cancelled, or another process has taken it up. */
  signal: AbortSignal
  /** Shows how far the step is; it may be called as often as there is something to say. */
  progress(done: number, total: number | null, text?: string): void
}

/** May be done again after a process ended in the middle of it, and then changes nothing twice. */
type StepHandler = (
  ctx: RequestContext,
  run: RunRow,
  step: StepRow,
  work: StepWork,
) => Promise<Outcome | Later> | Outcome | Later

/** What an error of a step means. */
export type Failure = {
  /** For people, without its full stop. */
  reason: string
  /** No later try changes it. */
  isFinal?: boolean
  /** The provider would answer the next call under the same key with this failure again. */
  endsKey?: boolean
}

export type DurableRun = {
  /** `<domain>.<what>`: of its rows, and of the job that goes on with them and under whose name they act. */
  name: string
  /** By name. A run has those that were written down when it began. */
  steps: Record<string, StepHandler>
  /** Told when a step has ended, beside the one of its rows. */
  topics: readonly ChangeTopic[]
  judge(error: unknown): Failure
  guard?: JobGuard
  /** So many tries in a row; then it fails. */
  mostTries: number
  /** How long its steps may take together, where that is more than ten minutes. It is then swept apart from the others. */
  longestS?: number
  /** Whether what it needs is there, such as a provider that is connected. Without it nothing is tried. */
  isReady?(ctx: RequestContext): boolean
  /** Called by the sweep before it looks for what is due: begins what nobody has come to begin. */
  takeIn?(ctx: RequestContext): Promise<void>
  /** Locks what its records lock too, before the run is locked: everybody locks in this order. */
  lock?(tx: TransactionContext, subject: string): Promise<unknown>
  /** In the transaction that writes down that the step is tried again later. */
  postponed?(tx: TransactionContext, run: RunRow, postponed: { tries: number; reason: string }): Promise<void>
  /** In the transaction that writes down the failure. Somebody must hear of it. */
  failed(tx: TransactionContext, run: RunRow, step: StepRow, reason: string): Promise<void>
}

/** Declares work in steps that outlives its process, as data. */
export const durableRun = (definition: DurableRun): DurableRun => definition

const input = z.object({ subject: z.string().optional() })
export const usualS = 600

/** Goes on with the runs of one subject, or with all that are due, as far as they get; what has to wait is enqueued again for then. */
export const settingsOf = (name: string, longestS = usualS): JobSettings<typeof input> => ({
  name,
  input,
  policy: 'key',
  // A run keeps its own tries, and the sweep finds what is left.
  retries: 0,
  expireS: longestS,
  concurrency: 3,
})

const firstPauseMs = 5000
const longestPauseMs = 10 * 60_000

/** How long after the last of so many tries in a row the next one is. */
export const pauseAfter = (tries: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 20), longestPauseMs)

/** For the provider: the same for every try of a step, until a failure was kept under it. */
export const keyOf = (run: RunRow, { position, keys_ended }: StepRow): string => {
  const [domain] = run.name.split('.')
  return `${domain}-${run.id}-${position}${keys_ended === 0 ? '' : `-${keys_ended}`}`
}

export const retriedByItself = (reason: string): string => `${reason}. Retrying automatically.`
