import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { DB, RunSteps, Runs } from '../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type RunRow = Selectable<Runs>
export type StepRow = Selectable<RunSteps>
export type RunWithSteps = RunRow & { steps: StepRow[] }

export type NewStep = { name: string; target: string | null; payload: object }

const openStates = ['waiting', 'running']
const endedStates = ['done', 'skipped', 'cancelled']

export const isOpen = ({ state }: Pick<RunRow, 'state'>): boolean => openStates.includes(state)
export const hasEnded = ({ state }: Pick<StepRow, 'state'>): boolean => endedStates.includes(state)

export async function insertRun(tx: Tx, run: Insertable<Runs>, steps: readonly NewStep[]): Promise<void> {
  await tx.insertInto('runs').values(run).execute()
  const rows = steps.map(({ name, target, payload }, position) => ({
    ...{ run_id: run.id, position, name, target_id: target, payload: JSON.stringify(payload), state: 'waiting' },
  }))
  await tx.insertInto('run_steps').values(rows).execute()
}

export const lockRun = (tx: Tx, id: string): Promise<RunRow | undefined> =>
  tx.selectFrom('runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

const ofSubject = (db: Db, name: string, subject: string) =>
  db.selectFrom('runs').selectAll().where('name', '=', name).where('subject', '=', subject)

const openOf = (db: Db, name: string, subject: string) => ofSubject(db, name, subject).where('state', 'in', openStates)

/** There is never more than one. */
export const findOpenRun = (db: Db, name: string, subject: string): Promise<RunRow | undefined> =>
  openOf(db, name, subject).executeTakeFirst()

export const lockOpenRun = (tx: Tx, name: string, subject: string): Promise<RunRow | undefined> =>
  openOf(tx, name, subject).forUpdate().executeTakeFirst()

export const findSteps = (db: Db, runIds: readonly string[]): Promise<StepRow[]> =>
  db.selectFrom('run_steps').selectAll().where('run_id', 'in', runIds).orderBy('position').execute()

export async function findRun(db: Db, id: string): Promise<RunWithSteps | undefined> {
  const run = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
  return run && { ...run, steps: await findSteps(db, [id]) }
}

/** Newest first. */
export async function findRuns(db: Db, name: string, subject: string, limit: number): Promise<RunWithSteps[]> {
  const runs = await ofSubject(db, name, subject)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (runs.length === 0) return []
  const steps = await findSteps(
    db,
    runs.map((run) => run.id),
  )
  const byRun = Map.groupBy(steps, (step) => step.run_id)
  return runs.map((run) => ({ ...run, steps: byRun.get(run.id) ?? [] }))
}

export async function hasStep(db: Db, runId: string, position: number): Promise<boolean> {
  const found = await db
    .selectFrom('run_steps')
    .select('position')
    .where('run_id', '=', runId)
    .where('position', '=', position)
    .executeTakeFirst()
  return found !== undefined
}

export async function patchRun(db: Db, id: string, change: Updateable<Runs>): Promise<void> {
  await db.updateTable('runs').set(change).where('id', '=', id).execute()
}

export async function patchStep(
  db: Db,
  { run_id, position }: Pick<StepRow, 'run_id' | 'position'>,
  change: Updateable<RunSteps>,
): Promise<void> {
  await db.updateTable('run_steps').set(change).where('run_id', '=', run_id).where('position', '=', position).execute()
}

/** Whether this try of the step is still the newest, and its run wanted. */
export async function isStepMine(db: Db, { run_id, position, attempts }: StepRow): Promise<boolean> {
  const found = await db
    .selectFrom('run_steps as s')
    .innerJoin('runs as r', 'r.id', 's.run_id')
    .select('s.attempts')
    .where('s.run_id', '=', run_id)
    .where('s.position', '=', position)
    .where('s.state', '=', 'running')
    .where('s.attempts', '=', attempts)
    .where('r.state', 'in', openStates)
    .executeTakeFirst()
  return found !== undefined
}

/** All that are in one of these states. */
export async function patchSteps(
  db: Db,
  runId: string,
  states: readonly string[],
  change: Updateable<RunSteps>,
): Promise<void> {
  await db.updateTable('run_steps').set(change).where('run_id', '=', runId).where('state', 'in', states).execute()
}

/** Tries are numbered: one that is not the newest has been overtaken. */
export async function overtakeTries(db: Db, name: string, subject: string): Promise<void> {
  await db
    .updateTable('run_steps')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('state', '=', 'running')
    .where('run_id', 'in', openOf(db, name, subject).clearSelect().select('id'))
    .execute()
}

export async function findDueRuns(
  db: Db,
  names: readonly string[],
  now: Date,
): Promise<Pick<RunRow, 'name' | 'subject'>[]> {
  return db
    .selectFrom('runs')
    .select(['name', 'subject'])
    .where('state', 'in', openStates)
    .where('name', 'in', names)
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(100)
    .execute()
}
