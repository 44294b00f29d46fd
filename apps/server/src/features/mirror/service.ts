import type { deadEvent, driftReport, MirrorState } from '@agency/contract/mirror'
import type { z } from 'zod'
import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { enqueueApply } from './apply.ts'
import { notConnected } from './connection.ts'
import { isWebhookConfigured } from './endpoint.ts'
import { requestImport } from './import.ts'
import { reconcileJob, walkJob } from './job-settings.ts'
import { toProgress } from './progress.ts'
import { type DriftRow, findDriftRows, findReport, findReports, type Report } from './queries/drift.ts'
import { findDeadEvents, reviveEvent } from './queries/events.ts'
import { findNewestImport, findOpenImport, findSteps, patchImport } from './queries/imports.ts'
import { findProblem } from './queries/problems.ts'
import { findExpectedObjects } from './queries/progress.ts'
import { findAsOf, findEventFigures, findRunFigures } from './queries/state.ts'

type State = Pick<AppContext, 'config' | 'db' | 'clock'>
const hourMs = 3_600_000
const maxReports = 50
const maxRows = 500
const maxDead = 100

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

async function findImportProgress(ctx: State): Promise<MirrorState['first_import']> {
  const newest = await findNewestImport(ctx.db)
  if (!newest) return null
  const [steps, expected] = await Promise.all([findSteps(ctx.db, newest.id), findExpectedObjects(ctx.db)])
  return toProgress(newest, steps, expected, ctx.clock())
}

/** How true the mirror is, from a handful of indexed questions. */
export async function mirrorState(ctx: State): Promise<MirrorState> {
  const [problem, progress, asOf, events, runs, configured] = await Promise.all([
    findProblem(ctx.db),
    findImportProgress(ctx),
    findAsOf(ctx.db),
    findEventFigures(ctx.db, new Date(ctx.clock() - hourMs)),
    findRunFigures(ctx.db),
    isWebhookConfigured(ctx),
  ])
  return {
    problem: problem?.message ?? null,
    problem_since: iso(problem?.since ?? null),
    first_import: progress,
    as_of: asOf,
    last_event_at: iso(events.lastAppliedAt),
    lag_p95_s: events.lagP95,
    pending_events: events.pending,
    dead_events: events.dead,
    last_reconcile_at: iso(runs.lastReconcileAt),
    last_walk_at: iso(runs.lastWalkAt),
    last_drift: runs.drift && { ...runs.drift, finished_at: runs.drift.finished_at.toISOString() },
    webhook: { configured, last_received_at: iso(events.lastReceivedAt) },
  }
}

const queued = { queued: true } as const

export function startReconcile(ctx: RequestContext, kind: 'events' | 'walk'): Promise<typeof queued> {
  if (!ctx.stripe) throw notConnected()
  return inTransaction(ctx, async (tx) => {
    await recordAudit(tx, { action: 'mirror.reconcile', resource: 'mirror', id: null, after: { kind } })
    await tx.jobs.enqueue(tx, kind === 'walk' ? walkJob : reconcileJob, {})
    return queued
  })
}

export function startImport(ctx: RequestContext): Promise<typeof queued> {
  if (!ctx.stripe) throw notConnected()
  return inTransaction(ctx, async (tx) => {
    await recordAudit(tx, { action: 'mirror.import', resource: 'mirror', id: null })
    await requestImport(tx, 'asked')
    return queued
  })
}

export function cancelImport(ctx: RequestContext): Promise<{ success: true }> {
  return inTransaction(ctx, async (tx) => {
    const open = await findOpenImport(tx.db)
    if (!open) throw new AppError('conflict', 'No import is running')
    await patchImport(tx.db, open.id, { state: 'cancelled', finishedAt: new Date(tx.clock()) })
    await recordAudit(tx, { action: 'mirror.cancel_import', resource: 'mirror', id: open.id })
    return { success: true }
  })
}

const toReport = (report: Report): z.output<typeof driftReport> => ({
  ...report,
  kind: report.kind as 'events' | 'walk',
  state: report.state as 'running' | 'done' | 'failed',
  started_at: report.started_at.toISOString(),
  finished_at: iso(report.finished_at),
})

export async function listDriftReports({ db }: RequestContext) {
  return { reports: (await findReports(db, maxReports)).map(toReport) }
}

export async function getDriftReport({ db }: RequestContext, id: string) {
  const report = await findReport(db, id)
  if (!report) throw notFound(`Report ${id}`)
  const rows: DriftRow[] = await findDriftRows(db, id, maxRows)
  return { report: toReport(report), rows }
}

export async function listDeadEvents({ db }: RequestContext): Promise<{ events: z.output<typeof deadEvent>[] }> {
  const events = await findDeadEvents(db, maxDead)
  return {
    events: events.map((event) => ({
      ...event,
      created_at: event.created_at.toISOString(),
      received_at: event.received_at.toISOString(),
    })),
  }
}

export function replayDeadEvent(ctx: RequestContext, id: string): Promise<typeof queued> {
  return inTransaction(ctx, async (tx) => {
    const revived = await reviveEvent(tx.db, id)
    if (!revived) throw notFound(`Failed event ${id}`)
    await recordAudit(tx, { action: 'mirror.replay_event', resource: 'webhook_event', id, after: revived })
    if (revived.object) await enqueueApply(ctx, tx, revived.object)
    return queued
  })
}
