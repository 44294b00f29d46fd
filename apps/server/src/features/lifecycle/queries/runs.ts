import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, LifecycleRuns, LifecycleSteps } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type RunRow = Selectable<LifecycleRuns>
export type StepRow = Selectable<LifecycleSteps>
export type RunWithSteps = RunRow & { steps: StepRow[] }

const open = ['waiting', 'running']

export async function insertRun(
  tx: Tx,
  run: Insertable<LifecycleRuns>,
  steps: readonly Omit<Insertable<LifecycleSteps>, 'run_id'>[],
): Promise<void> {
  await tx.insertInto('lifecycle_runs').values(run).execute()
  await tx
    .insertInto('lifecycle_steps')
    .values(steps.map((step) => ({ run_id: run.id, ...step })))
    .execute()
}

export const lockRun = (tx: Tx, id: string): Promise<RunRow | undefined> =>
  tx.selectFrom('lifecycle_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findOpenRun = (db: Db, customerId: string): Promise<RunRow | undefined> =>
  db
    .selectFrom('lifecycle_runs')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('state', 'in', open)
    .executeTakeFirst()

export const findSteps = (db: Db, runId: string): Promise<StepRow[]> =>
  db.selectFrom('lifecycle_steps').selectAll().where('run_id', '=', runId).orderBy('position').execute()

export async function findRun(db: Db, id: string): Promise<RunWithSteps | undefined> {
  const run = await db.selectFrom('lifecycle_runs').selectAll().where('id', '=', id).executeTakeFirst()
  return run && { ...run, steps: await findSteps(db, id) }
}

/** Newest first. */
export async function findRuns(db: Db, customerId: string, limit: number): Promise<RunWithSteps[]> {
  const runs = await db
    .selectFrom('lifecycle_runs')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (runs.length === 0) return []
  const ids = runs.map((run) => run.id)
  const steps = await db
    .selectFrom('lifecycle_steps')
    .selectAll()
    .where('run_id', 'in', ids)
    .orderBy('position')
    .execute()
  const byRun = Map.groupBy(steps, (step) => step.run_id)
  return runs.map((run) => ({ ...run, steps: byRun.get(run.id) ?? [] }))
}

export async function patchRun(db: Db, id: string, change: Updateable<LifecycleRuns>): Promise<void> {
  await db.updateTable('lifecycle_runs').set(change).where('id', '=', id).execute()
}

export async function patchStep(
  db: Db,
  { run_id, position }: Pick<StepRow, 'run_id' | 'position'>,
  change: Updateable<LifecycleSteps>,
): Promise<void> {
  await db
    .updateTable('lifecycle_steps')
    .set(change)
    .where('run_id', '=', run_id)
    .where('position', '=', position)
    .execute()
}

export async function cancelSteps(db: Db, runId: string): Promise<void> {
  await db
    .updateTable('lifecycle_steps')
    .set({ state: 'cancelled' })
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .execute()
}

export async function findDueRuns(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('lifecycle_runs')
    .select('id')
    .where('state', 'in', open)
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(100)
    .execute()
  return rows.map((row) => row.id)
}

/** What the suspension of this run paused, and how: subscription to behaviour. */
export async function findPaused(db: Db, runId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ target_id: string; behavior: string }>`
    select target_id, payload ->> 'behavior' as behavior from lifecycle_steps
    where run_id = ${runId} and kind = 'pause' and state = 'done' and target_id is not null
    order by position`.execute(db)
  return new Map(rows.map((row) => [row.target_id, row.behavior]))
}
