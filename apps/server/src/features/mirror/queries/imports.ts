import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type Import = {
  id: string
  state: string
  reason: string
  started_at: Date
  finished_at: Date | null
  error: string | null
  started_seq: number
  attempts: number
}
export type ImportStep = {
  position: number
  object: string
  state: string
  cursor: string | null
  objects: number
  pages: number
  started_at: Date | null
  finished_at: Date | null
}

const importColumns = [
  'id',
  'state',
  'reason',
  'started_at',
  'finished_at',
  'error',
  'started_seq',
  'attempts',
] as const

/** Answers whether it was inserted: only one runs at a time, over all processes. */
export async function insertImport(
  db: Db,
  created: { id: string; reason: string; startedAt: Date; startedSeq: number; objects: readonly string[] },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mirror_imports')
    .values({
      id: created.id,
      state: 'running',
      reason: created.reason,
      started_at: created.startedAt,
      started_seq: created.startedSeq,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await db
    .insertInto('mirror_import_steps')
    .values(
      created.objects.map((object, position) => ({
        import_id: created.id,
        position,
        object,
        state: 'waiting' as const,
      })),
    )
    .execute()
  return true
}

export function findNewestImport(db: Db): Promise<Import | undefined> {
  return db
    .selectFrom('mirror_imports')
    .select(importColumns)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The one that goes on: running, or failed and tried again. */
export function findOpenImport(db: Db): Promise<Import | undefined> {
  return db
    .selectFrom('mirror_imports')
    .select(importColumns)
    .where('state', 'in', ['running', 'failed'])
    .where('finished_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findSteps(db: Db, importId: string): Promise<ImportStep[]> {
  return db
    .selectFrom('mirror_import_steps')
    .select(['position', 'object', 'state', 'cursor', 'objects', 'pages', 'started_at', 'finished_at'])
    .where('import_id', '=', importId)
    .orderBy('position')
    .execute()
}

/** Answers whether the import is still wanted. */
export async function patchImport(
  db: Db,
  id: string,
  change: {
    state: 'running' | 'failed' | 'done' | 'cancelled'
    error?: string | null
    finishedAt?: Date
    attempts?: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mirror_imports')
    .set({
      state: change.state,
      ...(change.error !== undefined && { error: change.error }),
      ...(change.finishedAt && { finished_at: change.finishedAt }),
      ...(change.attempts !== undefined && { attempts: change.attempts }),
    })
    .where('id', '=', id)
    .where('state', 'in', ['running', 'failed'])
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Held to the end of the transaction, so that a cancellation is either seen or waits. */
export async function isImportRunning(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('mirror_imports').select('state').where('id', '=', id).forShare().executeTakeFirst()
  return row?.state === 'running'
}

export async function startStep(db: Db, importId: string, position: number, at: Date): Promise<void> {
  await db
    .updateTable('mirror_import_steps')
    .set((eb) => ({ state: 'running', started_at: eb.fn.coalesce('started_at', sql<Date>`${at}::timestamptz`) }))
    .where('import_id', '=', importId)
    .where('position', '=', position)
    .execute()
}

export async function advanceStep(
  db: Db,
  importId: string,
  position: number,
  page: { cursor: string | null; objects: number; finishedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('mirror_import_steps')
    .set((eb) => ({
      objects: eb('objects', '+', page.objects),
      pages: eb('pages', '+', 1),
      ...(page.cursor !== null && { cursor: page.cursor }),
      ...(page.finishedAt && { state: 'done' as const, finished_at: page.finishedAt }),
    }))
    .where('import_id', '=', importId)
    .where('position', '=', position)
    .execute()
}
