import { inTransaction, type RequestContext } from '../../context.ts'
import { notifyDeadEvent } from '../notifications/index.ts'
import { completeObjects } from './complete.ts'
import { connectedStripe } from './connection.ts'
import { type Fetched, fetchObject } from './fetch.ts'
import { applyJob } from './job-settings.ts'
import { noteMrr, noteTold } from './mrr-history.ts'
import { tellNews } from './news.ts'
import { isFailureAtOne, isOutage } from './problem.ts'
import {
  findPendingEvents,
  markEventsApplied,
  markEventsFailed,
  type ObjectRef,
  type PendingEvent,
} from './queries/events.ts'
import { findRunningSubscriptions } from './queries/tombstones.ts'
import { type Fetch, nextFetchSeq } from './queries/upsert.ts'
import { buryObject, writeObjects } from './writer.ts'

type Source = Fetch['source']
export type Try = { isLastAttempt: boolean }

/** Fetches an object and writes what it is now, however old the events about it are. */
export async function applyObject(
  ctx: RequestContext,
  object: ObjectRef,
  source: Source,
  lane: 'job' | 'bulk' = 'job',
): Promise<void> {
  const pending = await findPendingEvents(ctx.db, object)
  await fetchAndWrite(ctx, object, source, lane, pending)
}

/** The same for a job: a failure is written beside the events, and after the last try they are dead letters. */
export async function applyOrTell(ctx: RequestContext, object: ObjectRef, attempt: Try): Promise<void> {
  const pending = await findPendingEvents(ctx.db, object)
  try {
    await fetchAndWrite(ctx, object, 'webhook', 'job', pending)
  } catch (error) {
    await tellFailure(ctx, pending, error, attempt)
    throw error
  }
}

async function fetchAndWrite(
  ctx: RequestContext,
  object: ObjectRef,
  source: Source,
  lane: 'job' | 'bulk',
  pending: readonly PendingEvent[],
): Promise<void> {
  const stripe = await connectedStripe(ctx, lane)
  const fetch: Fetch = { fetchSeq: await nextFetchSeq(ctx.db), fetchedAt: new Date(ctx.clock()), source }
  const found = await fetchObject(stripe, object)
  const complete: Fetched[] = []
  for (const { kind, objects } of found ?? []) {
    complete.push({ kind, objects: await completeObjects(ctx.db, stripe, kind, objects) })
  }
  await inTransaction(ctx, async (tx) => {
    const pendingIds = pending.map((event) => event.id)
    const isTold = object.kind === 'subscription' && (await noteTold(tx, object.id, pendingIds))
    if (found === null) await bury(ctx, tx, object)
    for (const { kind, objects } of complete) await writeObjects(tx, kind, objects, fetch)
    if (isTold) await noteMrr(tx.db, [object.id], fetch.fetchedAt)
    if (pending.length > 0) await tellNews(tx, complete)
    await markEventsApplied(tx.db, pendingIds, new Date(tx.clock()))
  })
}

/** The provider cancels the subscriptions of a customer that is deleted; their own events may be lost. */
async function bury(ctx: RequestContext, tx: Parameters<typeof buryObject>[0], { kind, id }: ObjectRef): Promise<void> {
  await buryObject(tx, kind, id)
  if (kind !== 'customer') return
  for (const subscription of await findRunningSubscriptions(tx.db, id)) {
    await enqueueApply(ctx, tx, { kind: 'subscription', id: subscription })
  }
}

export const keyOf = ({ kind, id }: ObjectRef): string => `${kind}:${id}`

export async function enqueueApply(
  { jobs }: Pick<RequestContext, 'jobs'>,
  where: Pick<RequestContext, 'db'>,
  object: ObjectRef,
): Promise<void> {
  await jobs.enqueue(where, applyJob, object, { key: keyOf(object) })
}

async function answersOthers({ stripe }: RequestContext): Promise<boolean> {
  try {
    await stripe?.in('job').ping()
    return true
  } catch {
    return false
  }
}

const maxErrorLength = 500

/** While the provider is out nothing is dead: the events wait until it answers again. One object that it always fails at is. */
async function tellFailure(
  ctx: RequestContext,
  pending: readonly PendingEvent[],
  failure: unknown,
  { isLastAttempt }: Try,
): Promise<void> {
  const isDead = isLastAttempt && (!isOutage(failure) || (isFailureAtOne(failure) && (await answersOthers(ctx))))
  const message = failure instanceof Error ? failure.message : String(failure)
  // PostgreSQL keeps no NUL: a failure that cannot be written down would be tried for ever.
  const error = message.replaceAll('\0', '\ufffd').slice(0, maxErrorLength).toWellFormed()
  await inTransaction(ctx, async (tx) => {
    const ids = pending.map((event) => event.id)
    await markEventsFailed(tx.db, ids, { error, isDead })
    if (!isDead) return
    for (const { id, type } of pending) await notifyDeadEvent(tx, { id, type, error })
  })
}
