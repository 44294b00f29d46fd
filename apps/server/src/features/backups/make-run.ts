import type { RequestContext, TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { durableRun, type Outcome, type StepWork } from '../../platform/runs/durable-run.ts'
import { hasStep, patchStep, type RunRow, type StepRow } from '../../platform/runs/queries.ts'
import { notify } from '../notifications/index.ts'
import { finish, longestS, makeRunName } from './begin-backup.ts'
import { judge } from './failure.ts'
import { idsOfFiles, isForgotten, removeFiles } from './files.ts'
import { tidyJournal } from './journal.ts'
import { beginDue, expireSurplus } from './plan.ts'
import { findBackup, findStates, patchBackup } from './queries/backups.ts'
import { readBack } from './steps/read-back.ts'
import { readStore, send } from './steps/send.ts'
import { write } from './steps/write.ts'
import type { Written } from './steps/write-file.ts'
import { writeIncremental } from './steps/write-incremental.ts'
import { type Moment, writeMoment } from './steps/write-moment.ts'

function writeAs(ctx: RequestContext, run: RunRow, tries: number, work: StepWork): Promise<Written> {
  const target = { id: run.subject, tries }
  if (run.kind === 'incremental') return writeIncremental(ctx, target, work)
  if (run.kind === 'moment') return writeMoment(ctx, target, run.options as unknown as Moment, work)
  return write(ctx, target, work)
}

async function writeStep(ctx: RequestContext, run: RunRow, step: StepRow, work: StepWork): Promise<Outcome> {
  const written = await writeAs(ctx, run, step.attempts, work)
  return {
    state: 'done',
    async record(tx) {
      const next = { run_id: run.id, position: step.position + 1 }
      await patchStep(tx.db, next, { payload: JSON.stringify(written) })
    },
  }
}

const payloadOf = ({ payload }: StepRow): Written => payload as unknown as Written

/** The last step that there is makes it a backup; the one before hands on what it has to compare with. */
async function readBackStep(ctx: RequestContext, run: RunRow, step: StepRow, work: StepWork): Promise<Outcome> {
  const written = payloadOf(step)
  const proof = await readBack(ctx, run.subject, written, work)
  return {
    state: 'done',
    async record(tx) {
      const isSent = await hasStep(tx.db, run.id, step.position + 1)
      if (!isSent) return finish(tx, run.subject, { written, proof })
      const payload = JSON.stringify(written)
      for (const more of [1, 2]) await patchStep(tx.db, { run_id: run.id, position: step.position + more }, { payload })
    },
  }
}

async function sendStep(ctx: RequestContext, run: RunRow, step: StepRow, work: StepWork): Promise<Outcome> {
  await send(ctx, run.subject, payloadOf(step).bytes, work)
  return { state: 'done' }
}

async function readStoreStep(ctx: RequestContext, run: RunRow, step: StepRow, work: StepWork): Promise<Outcome> {
  const written = payloadOf(step)
  const proof = await readStore(ctx, run.subject, written, work)
  return {
    state: 'done',
    record: (tx) => finish(tx, run.subject, { written, proof, storedAt: new Date(tx.clock()) }),
  }
}

async function failed(tx: TransactionContext, run: RunRow, reason: string): Promise<void> {
  const row = await findBackup(tx, run.subject)
  if (!row || !(await patchBackup(tx, row.id, { state: 'failed', reason, finished_at: new Date(tx.clock()) }))) return
  const { id, name, type } = row
  const audit = { action: 'backup.fail', resource: 'backup', id, outcome: 'failed' } as const
  await recordAudit(tx, { ...audit, after: { name, type, reason } })
  await notify(tx, {
    ...{ dedupeKey: `backup.failed:${id}`, type: 'backup.failed', severity: 'error', permission: 'admin.system' },
    ...{ title: `Backup failed: ${name}`, body: `${reason}.`, link: '/admin/tools/backup' },
  })
}

/** Begins what is due, and takes away what is more than shall be kept. */
async function takeIn(ctx: RequestContext): Promise<void> {
  await beginDue(ctx)
  await expireSurplus(ctx)
  await removeStrays(ctx)
  await tidyJournal(ctx)
}

/** Files whose backup was cancelled or failed; of one that is not known yet a command may be at work. */
async function removeStrays(ctx: RequestContext): Promise<void> {
  const ids = await idsOfFiles(ctx)
  const states = await findStates(ctx, ids)
  for (const id of ids) {
    const state = states.get(id)
    const isStray = state === undefined ? await isForgotten(ctx, id) : state === 'failed' || state === 'cancelled'
    if (isStray) await removeFiles(ctx, id)
  }
}

export const makeRun = durableRun({
  name: makeRunName,
  steps: { write: writeStep, read_back: readBackStep, send: sendStep, read_store: readStoreStep },
  topics: ['backups'],
  judge,
  mostTries: 3,
  longestS,
  takeIn,
  failed: (tx, run, _step, reason) => failed(tx, run, reason),
})
