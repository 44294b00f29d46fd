import type { Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type DriftRow = { object: string; object_id: string; difference: string; repaired: boolean }
export type DriftCounts = { checked: number; differed: number; repaired: number }

export async function insertReport(
  db: Db,
  report: { id: string; kind: 'events' | 'walk'; startedAt: Date },
): Promise<void> {
  await db
    .insertInto('drift_reports')
    .values({ id: report.id, kind: report.kind, state: 'running', started_at: report.startedAt })
    .execute()
}

export async function insertDriftRows(db: Db, reportId: string, rows: readonly DriftRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('drift_rows')
    .values(rows.map((row) => ({ ...row, report_id: reportId })))
    .onConflict((conflict) =>
      conflict.columns(['report_id', 'object', 'object_id']).doUpdateSet((eb) => ({
        difference: eb.ref('excluded.difference'),
        repaired: eb.ref('excluded.repaired'),
      })),
    )
    .execute()
}

export async function finishReport(
  db: Db,
  id: string,
  result: DriftCounts & { state: 'done' | 'failed'; finishedAt: Date; error: string | null },
): Promise<void> {
  const { finishedAt, ...rest } = result
  await db
    .updateTable('drift_reports')
    .set({ ...rest, finished_at: finishedAt })
    .where('id', '=', id)
    .execute()
}

/** A run whose process died says so instead of running for ever. */
export async function failAbandonedReports(db: Db, kind: 'events' | 'walk', at: Date): Promise<void> {
  await db
    .updateTable('drift_reports')
    .set({ state: 'failed', finished_at: at, error: 'The process ended before the run did' })
    .where('kind', '=', kind)
    .where('state', '=', 'running')
    .execute()
}

const reportColumns = [
  'id',
  'kind',
  'state',
  'started_at',
  'finished_at',
  'checked',
  'differed',
  'repaired',
  'error',
] as const

export type Report = {
  id: string
  kind: string
  state: string
  started_at: Date
  finished_at: Date | null
  checked: number
  differed: number
  repaired: number
  error: string | null
}

export function findReports(db: Db, limit: number): Promise<Report[]> {
  return db
    .selectFrom('drift_reports')
    .select(reportColumns)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findReport(db: Db, id: string): Promise<Report | undefined> {
  return db.selectFrom('drift_reports').select(reportColumns).where('id', '=', id).executeTakeFirst()
}

export function findDriftRows(db: Db, reportId: string, limit: number): Promise<DriftRow[]> {
  return db
    .selectFrom('drift_rows')
    .select(['object', 'object_id', 'difference', 'repaired'])
    .where('report_id', '=', reportId)
    .orderBy('object')
    .orderBy('object_id')
    .limit(limit)
    .execute()
}

/** Runs that found nothing are soon of no interest. */
export async function deleteOldReports(db: Db, before: { quiet: Date; all: Date }): Promise<void> {
  await db
    .deleteFrom('drift_reports')
    .where((eb) =>
      eb.or([
        eb('started_at', '<', before.all),
        eb.and([eb('started_at', '<', before.quiet), eb('differed', '=', 0), eb('error', 'is', null)]),
      ]),
    )
    .execute()
}
