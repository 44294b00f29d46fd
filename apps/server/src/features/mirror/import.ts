import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type RequestContext } from '../../context.ts'
import { isForbidden, ProviderError } from '../../integrations/stripe/errors.ts'
import { type ObjectKind, type ObjectPage, objectKinds, type StripeGateway } from '../../integrations/stripe/gateway.ts'
import { EndlessList, manyOf, mostPagesOf, pagesOf } from '../../integrations/stripe/pages.ts'
import { notifyImportFailed, notifyImportFinished } from '../notifications/index.ts'
import { completeObjects } from './complete.ts'
import { connectedStripe, writeAccount } from './connection.ts'
import { importJob, reconcileJob } from './job-settings.ts'
import { reconstructMrr } from './mrr-history.ts'
import { isOptional } from './objects.ts'
import {
  advanceStep,
  findOpenImport,
  findSteps,
  type Import,
  type ImportStep,
  insertImport,
  isImportRunning,
  patchImport,
  startStep,
} from './queries/imports.ts'
import { findEventProgress, upsertEventProgress } from './queries/settings.ts'
import { takeBackListed } from './queries/take-back.ts'
import { nextFetchSeq, refreshStatistics } from './queries/upsert.ts'
import { findNewerThan } from './queries/walk.ts'
import { takeInUnknownCustomers } from './unknown-customers.ts'
import { verifyUnseen } from './unseen.ts'
import { writeObjects } from './writer.ts'

/** Accounts first, because totals are split by their currency; then what others refer to; at last what is gone, and what was paid before. */
const steps: readonly string[] = ['account', ...objectKinds, 'gone', 'history']

const isKind = (name: string): name is ObjectKind => (objectKinds as readonly string[]).includes(name)

/** Starts an import unless one is open, which then goes on instead. */
export async function requestImport(ctx: Pick<RequestContext, 'db' | 'clock' | 'jobs'>, reason: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await findOpenImport(tx.db))) {
      const startedSeq = await nextFetchSeq(tx.db)
      const startedAt = new Date(tx.clock())
      await insertImport(tx.db, { id: randomUUID(), reason, startedAt, startedSeq, objects: steps })
    }
    await tx.jobs.enqueue(tx, importJob, {})
  })
}

class ImportStopped extends Error {}

/** Goes on with the open import from its cursors. A failed try is told and thrown, so that the queue tries again. */
export async function runImport(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  const open = await findOpenImport(ctx.db)
  if (!open) return
  const attempts = open.attempts + 1
  try {
    const stripe = await connectedStripe(ctx, 'bulk')
    // The key opens another account, so everything was forgotten, this import too.
    if (!(await patchImport(ctx.db, open.id, { state: 'running', error: null, attempts }))) {
      return requestImport(ctx, 'account')
    }
    for (const step of await findSteps(ctx.db, open.id)) {
      if (step.state !== 'done') await runStep(ctx, stripe, open, step, signal)
    }
    await finish(ctx, open)
  } catch (error) {
    if (error instanceof ImportStopped) return
    if (error instanceof EndlessList) return giveUp(ctx, open, error)
    if (!signal.aborted) await tellFailure(ctx, open, attempts, error)
    throw error
  }
}

async function runStep(
  ctx: RequestContext,
  stripe: StripeGateway,
  running: Import,
  step: ImportStep,
  signal: AbortSignal,
): Promise<void> {
  await startStep(ctx.db, running.id, step.position, new Date(ctx.clock()))
  if (isKind(step.object) && !isOptional(step.object)) {
    return importKind(ctx, stripe, running, step, step.object, signal)
  }
  const done = { cursor: null, finishedAt: new Date(ctx.clock()) }
  if (step.object === 'account') {
    const fetchSeq = await nextFetchSeq(ctx.db)
    await writeAccount(ctx, await stripe.getAccount(), { livemode: stripe.livemode, fetchSeq })
    return advanceStep(ctx.db, running.id, step.position, { ...done, objects: 1 })
  }
  if (isKind(step.object)) {
    try {
      return await importKind(ctx, stripe, running, step, step.object, signal)
    } catch (error) {
      if (!isForbidden(error)) throw error
      ctx.log.warn({ kind: step.object }, 'the key may not read these; what needs them stays unknown')
      return advanceStep(ctx.db, running.id, step.position, { ...done, objects: 0 })
    }
  }
  if (step.object === 'history') {
    return advanceStep(ctx.db, running.id, step.position, { ...done, objects: await reconstructMrr(ctx, signal) })
  }
  let checked = await takeInUnknownCustomers(ctx, stripe, signal)
  for (const kind of objectKinds) {
    try {
      checked += await verifyUnseen(ctx, stripe, kind, { before: running.started_seq }, 'import', signal)
    } catch (error) {
      if (!isOptional(kind) || !isForbidden(error)) throw error
    }
  }
  await advanceStep(ctx.db, running.id, step.position, { ...done, objects: checked })
}

async function importKind(
  ctx: RequestContext,
  stripe: StripeGateway,
  { id }: Import,
  step: ImportStep,
  kind: ObjectKind,
  signal: AbortSignal,
): Promise<void> {
  let imported = step.objects
  let fetchSeq = 0
  const load = async (after: string | undefined) => {
    signal.throwIfAborted()
    fetchSeq = await nextFetchSeq(ctx.db)
    return patiently(() => listFrom(ctx, stripe, kind, after ?? null), signal)
  }
  const listing = { what: manyOf(kind), most: mostPagesOf(kind) - step.pages, from: step.cursor ?? undefined }
  for await (const page of pagesOf(load, listing)) {
    const objects = await completeObjects(ctx.db, stripe, kind, page.objects)
    const fetchedAt = new Date(ctx.clock())
    await inTransaction(ctx, async (tx) => {
      if (!(await isImportRunning(tx.db, id))) throw new ImportStopped()
      await writeObjects(tx, kind, objects, { fetchSeq, fetchedAt, source: 'import' })
      const finishedAt = page.hasMore ? null : fetchedAt
      await advanceStep(tx.db, id, step.position, { cursor: page.endId, objects: objects.length, finishedAt })
    })
    const before = imported
    imported += objects.length
    if (magnitude(imported) > magnitude(before)) await refreshStatistics(ctx.db, kind)
  }
}

const magnitude = (count: number): number => Math.floor(Math.log10(count))

const maxLostCursors = 100

/** When the object of the cursor is gone, the listing goes on from the next newer one that is still there. */
async function listFrom(
  ctx: RequestContext,
  stripe: StripeGateway,
  kind: ObjectKind,
  cursor: string | null,
): Promise<ObjectPage> {
  let from = cursor
  for (let lost = 0; ; lost++) {
    try {
      return await stripe.listObjects(kind, from === null ? {} : { startingAfter: from })
    } catch (error) {
      const isLost = error instanceof ProviderError && (error.kind === 'not_found' || error.kind === 'invalid')
      if (!isLost || from === null) throw error
      ctx.log.warn({ kind, cursor: from }, 'the object that the import had come to is gone')
      from = lost < maxLostCursors ? await findNewerThan(ctx.db, kind, from) : null
    }
  }
}

const quickTries = 2
const firstWaitS = 0.5

/** Short hiccups are waited out here, so that the import neither stops nor reports them. */
async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const isPassing = error instanceof ProviderError && ['rate_limit', 'unavailable'].includes(error.kind)
      if (!isPassing || attempt > quickTries) throw error
      await sleep((error.retryAfter ?? firstWaitS * attempt) * 1000, undefined, { signal })
    }
  }
}

async function finish(ctx: RequestContext, done: Import): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const finishedAt = new Date(tx.clock())
    if (!(await patchImport(tx.db, done.id, { state: 'done', finishedAt, error: null }))) return
    const counted = await findSteps(tx.db, done.id)
    const objects = counted.reduce((sum, step) => sum + step.objects, 0)
    await notifyImportFinished(tx, { id: done.id, objects })
    const progress = await findEventProgress(tx.db)
    const lookedAt = done.started_at.toISOString()
    await upsertEventProgress(tx.db, { newestEventAt: progress?.newestEventAt ?? null, lookedAt }, finishedAt)
    await tx.jobs.enqueue(tx, reconcileJob, {})
  })
}

/** It would be the same the next time: the import ends, and what the listing brought is not kept. */
async function giveUp(ctx: RequestContext, ended: Import, { message }: EndlessList): Promise<void> {
  ctx.log.warn({ import: ended.id, reason: message }, 'the import ended: a listing has no end')
  const error = `${message}. What it brought is not kept. Start the import again once Stripe lists them in order.`
  await inTransaction(ctx, async (tx) => {
    const step = (await findSteps(tx.db, ended.id)).find(({ state }) => state === 'running')
    if (step && isKind(step.object))
      await takeBackListed(tx.db, step.object, { since: ended.started_seq, source: 'import' })
    if (await patchImport(tx.db, ended.id, { state: 'failed', error, finishedAt: new Date(tx.clock()) }))
      await notifyImportFailed(tx, { id: ended.id, error })
  })
}

/** A first hiccup may be over in a moment; what lasts is told once. */
const triesBeforeTelling = 2

async function tellFailure(ctx: RequestContext, failed: Import, attempts: number, failure: unknown): Promise<void> {
  const error = failure instanceof ProviderError ? failure.message : 'The console could not write what Stripe answered'
  ctx.log.warn({ err: failure, import: failed.id, attempts }, 'the import stopped and will continue')
  await inTransaction(ctx, async (tx) => {
    const isOpen = await patchImport(tx.db, failed.id, { state: 'failed', error })
    if (isOpen && attempts >= triesBeforeTelling) await notifyImportFailed(tx, { id: failed.id, error })
  })
}
