import type { Topic } from '@agency/contract/endpoint'
import type { TransactionContext } from '../../context.ts'
import { pauseAfter, settingsOf } from './durable-run.ts'
import { insertRun, type NewStep, patchRun, patchStep, patchSteps, type RunRow, type StepRow } from './queries.ts'

type Tx = TransactionContext

export type NewRun = {
  id: string
  /** Of the `durableRun` that does it. */
  name: string
  kind: string
  /** What it is about; one run of a name is open per subject. */
  subject: string
  /** Who hears of it. */
  topic: Topic
  options: object
  steps: readonly NewStep[]
  /** Of its first step, so far, by whoever begins it: it waits as after so many. */
  tries?: number
  /** As its declaration says. */
  longestS?: number | undefined
}

type About = Pick<NewRun, 'name' | 'subject' | 'longestS'>

const workOn = (tx: Tx, { name, subject, longestS }: About, startAfter?: Date) =>
  tx.jobs.enqueue(tx, settingsOf(name, longestS), { subject }, { key: subject, ...(startAfter && { startAfter }) })

/** Writes down what is to be done, in the transaction that decides it; jobs do it. */
export async function beginRun(tx: Tx, { steps, options, tries = 0, longestS, ...run }: NewRun): Promise<void> {
  const now = new Date(tx.clock())
  const due = tries > 0 ? new Date(now.getTime() + pauseAfter(tries)) : now
  const row = {
    ...{ ...run, state: 'waiting', options: JSON.stringify(options), created_at: now, tries, next_try_at: due },
    ...{ actor_type: tx.actor.type, actor_id: tx.actor.id, actor_name: tx.actor.name },
  }
  await insertRun(tx.db, row, steps)
  await workOn(tx, { ...run, longestS }, tries > 0 ? due : undefined)
}

/** It failed, or waits for its next try. */
export const canRetry = ({ state, tries }: RunRow): boolean => state === 'failed' || (state === 'running' && tries > 0)

/** Goes on now with the step that failed or waits; steps that are done stay so. */
export async function retryRun(tx: Tx, run: RunRow): Promise<void> {
  await patchSteps(tx.db, run.id, ['failed'], { state: 'waiting' })
  const now = new Date(tx.clock())
  await patchRun(tx.db, run.id, { state: 'running', tries: 0, next_try_at: now, finished_at: null })
  await workOn(tx, run)
}

/** Goes on now with what waits for a later time. */
export async function wakeRun(tx: Tx, run: RunRow): Promise<void> {
  await patchRun(tx.db, run.id, { next_try_at: new Date(tx.clock()) })
  await workOn(tx, run)
}

/** What is done stays so. The outcome of a step that is being done now is not recorded any more. */
export async function cancelRun(tx: Tx, run: RunRow): Promise<void> {
  await patchSteps(tx.db, run.id, ['waiting', 'running'], { state: 'cancelled' })
  await patchRun(tx.db, run.id, { state: 'cancelled', finished_at: new Date(tx.clock()), next_try_at: null })
}

/** What the step itself must know after its process has ended, such as that it is about to send. */
export const keepPayload = (
  { db }: Pick<Tx, 'db'> | { db: Parameters<typeof patchStep>[0] },
  step: StepRow,
  payload: object,
) => patchStep(db, step, { payload: JSON.stringify(payload) })
