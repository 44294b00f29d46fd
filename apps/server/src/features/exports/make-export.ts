import { exportParameters } from '@agency/contract/exports'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { AnyExport, Opened } from '../../platform/export-kind.ts'
import { sessionLock } from '../../platform/session-lock.ts'
import { ensureFolder, partPath, publish, removeFiles } from './files.ts'
import { type ExportRow, findExport, openStates, patchExport } from './queries/exports.ts'
import { tellMaker } from './tell-maker.ts'
import { writeFile } from './write-file.ts'
import type { Order } from './writer/order.ts'

/** What each feature gives. */
export type Kinds = readonly AnyExport[]

/** After so many ends of the process in the middle, it is the export that ends it. */
const mostTries = 4
const tellEveryMs = 500
const keptMs = 24 * 3_600_000

class Cancelled extends Error {
  override name = 'Cancelled'
}

/** Makes the file from the beginning, wherever an earlier try got. Only one process does at a time. */
export async function makeExport(ctx: RequestContext, kinds: Kinds, id: string, stop: AbortSignal): Promise<void> {
  const release = await sessionLock(ctx.pool, `export ${id}`)
  if (!release) return
  try {
    const row = await findExport(ctx, id)
    if (!row || !openStates.some((state) => state === row.state)) return
    const tries = row.tries + 1
    const begun = { state: 'running', tries, rows_done: 0, started_at: new Date(ctx.clock()) } as const
    if (!(await patchExport(ctx, id, openStates, begun))) return
    await make(ctx, kinds, { ...row, tries }, stop)
  } finally {
    await release()
  }
}

async function make(ctx: RequestContext, kinds: Kinds, row: ExportRow, stop: AbortSignal): Promise<void> {
  try {
    if (row.tries > mostTries) throw new AppError('conflict', 'Interrupted by console restarts')
    await ensureFolder(ctx)
    await writeAndPublish(ctx, kinds, row, stop)
  } catch (error) {
    await removeFiles(ctx, row.id)
    // The next start of a process takes it up.
    if (stop.aborted || error instanceof Cancelled) return
    ctx.log.warn({ err: error, export: row.id, kind: row.kind }, 'an export failed')
    await fail(ctx, row, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message
  const lost = error instanceof Error && databaseFailureOf(error)
  return lost ? lost.message : 'The file could not be created. See the server log for the export id.'
}

function fail(ctx: RequestContext, row: ExportRow, reason: string): Promise<void> {
  const { id, kind, title, format } = row
  return inTransaction(ctx, async (tx) => {
    const change = { state: 'failed', reason, finished_at: new Date(tx.clock()) }
    if (!(await patchExport(tx, id, ['running'], change))) return
    await tellMaker(tx, row, { severity: 'error', title: 'Export failed', body: reason })
    await recordAudit(tx, {
      ...{ action: 'export.fail', resource: 'export', id, outcome: 'failed' },
      after: { kind, title, format, reason },
    })
  })
}

/** Tells how far it is now and then, and learns from it that the export was cancelled. */
function createProgress(ctx: RequestContext, id: string, total: number | null) {
  const cancelled = new AbortController()
  let told = performance.now()
  let telling: Promise<void> = Promise.resolve()
  const tell = async (done: number): Promise<void> => {
    const isRunning = await patchExport(ctx, id, ['running'], { rows_done: done, rows_total: total })
    if (!isRunning) cancelled.abort(new Cancelled())
  }
  return {
    signal: cancelled.signal,
    note(done: number): void {
      if (performance.now() - told < tellEveryMs) return
      told = performance.now()
      telling = telling
        .then(() => tell(done))
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'no progress told'))
    },
    settled: () => telling,
  }
}

/** Where a kind says nothing else, its columns are always the same. */
const openKind = async (ctx: RequestContext, kind: AnyExport, parameters: unknown): Promise<Opened<unknown>> =>
  (await kind.open?.(ctx, parameters)) ?? {
    columns: kind.columns,
    rows: kind.rows(ctx, parameters),
    isCut: () => false,
  }

/** A file that does not hold all rows says so in its name, and where it is listed. */
function namesOfCut({ title, file_name, format }: ExportRow, rows: number) {
  const stem = (file_name ?? '').slice(0, -format.length - 1)
  return {
    ...{ is_cut: true, title: `${title} (the first ${rows.toLocaleString('en-US')} rows)` },
    file_name: `${stem}-first-${rows}-rows.${format}`,
  }
}

async function orderOf(
  ctx: RequestContext,
  kind: AnyExport,
  { columns }: Opened<unknown>,
  row: ExportRow,
  parameters: unknown,
): Promise<Order> {
  const { companyName, timeZone } = ctx.config.settings
  return {
    path: partPath(ctx, row.id, row.tries),
    format: row.format as Order['format'],
    title: row.title,
    subtitle: (await kind.subtitle?.(ctx, parameters)) ?? null,
    company: companyName,
    timeZone: timeZone ?? 'UTC',
    madeAt: new Date(ctx.clock()).toISOString(),
    columns: columns.map(({ title, name, type, width = 1 }) => ({ title, name, type, width })),
    charts: row.format === 'pdf' ? ((await kind.charts?.(ctx, parameters)) ?? []) : [],
  }
}

async function writeAndPublish(ctx: RequestContext, kinds: Kinds, row: ExportRow, stop: AbortSignal): Promise<void> {
  const { id, kind: name, format } = row
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw new AppError('conflict', 'This version of the console no longer makes this export')
  const parameters: unknown = exportParameters[kind.kind].parse(row.parameters)
  const total = (await kind.total?.(ctx, parameters)) ?? null
  const progress = createProgress(ctx, id, total)
  const opened = await openKind(ctx, kind, parameters)
  const order = await orderOf(ctx, kind, opened, row, parameters)
  await patchExport(ctx, id, ['running'], { rows_total: total })
  const written = await writeFile({
    ...{ order, columns: opened.columns, rows: opened.rows },
    ...{ signal: AbortSignal.any([stop, progress.signal]), onRows: progress.note },
  }).finally(progress.settled)
  if ('refusal' in written) throw new AppError('conflict', written.refusal)
  await publish(ctx, id, row.tries)
  const { rows, bytes, sha256 } = written
  const now = ctx.clock()
  const cut = opened.isCut() ? namesOfCut(row, rows) : null
  const title = cut?.title ?? row.title
  const isReady = await inTransaction(ctx, async (tx) => {
    const done = { state: 'ready', rows_done: rows, rows_total: rows, bytes, sha256 }
    const times = { finished_at: new Date(now), expires_at: new Date(now + keptMs) }
    if (!(await patchExport(tx, id, ['running'], { ...done, ...times, ...cut }))) return false
    const after = { kind: name, title, format, rows, bytes, sha256 }
    const body = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}. The file is kept for 24 hours.`
    await tellMaker(tx, { ...row, title }, { severity: 'success', title: 'Export ready', body })
    await recordAudit(tx, { action: 'export.ready', resource: 'export', id, after })
    return true
  })
  if (!isReady) throw new Cancelled()
}
