import type { TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { beginRun } from '../../platform/runs/change.ts'
import { type BackupRow, findBackup, insertBackup, patchBackup } from './queries/backups.ts'
import type { Written } from './steps/write-file.ts'
import type { Moment } from './steps/write-moment.ts'
import type { Proof } from './writer/order.ts'

export const makeRunName = 'backups.make'
/** Of a database that is as large as a console's gets, on a slow disk. */
export const longestS = 4 * 3600

/** With a store outside it is a backup only once it was read back from there too. */
const stepNames = ({ config }: Pick<TransactionContext, 'config'>): readonly string[] =>
  config.s3 ? ['write', 'read_back', 'send', 'read_store'] : ['write', 'read_back']

type NewBackup = Pick<BackupRow, 'id' | 'name' | 'type' | 'cause'> & { moment?: Moment }

/** Writes down that a backup is wanted, with the run that makes it. */
export async function beginBackup(tx: TransactionContext, backup: NewBackup): Promise<void> {
  const { id, name, type, cause, moment } = backup
  const { type: makerType, id: makerId, name: makerName } = tx.actor
  await insertBackup(tx, {
    ...{ id, name, type, cause, state: 'open', created_at: new Date(tx.clock()) },
    ...{ maker_type: makerType, maker_id: makerId, maker_name: makerName },
  })
  await recordAudit(tx, { action: 'backup.create', resource: 'backup', id, after: { name, type, cause, ...moment } })
  await beginRun(tx, {
    ...{
      id,
      name: makeRunName,
      kind: moment ? 'moment' : type,
      subject: id,
      topic: 'backups',
      options: moment ?? {},
      longestS,
    },
    steps: stepNames(tx).map((step) => ({ name: step, target: null, payload: {} })),
  })
}

type Proven = { written: Written; proof: Proof; storedAt?: Date | undefined }

/** From here on it is a backup. */
export async function finish(tx: TransactionContext, id: string, { written, proof, storedAt }: Proven): Promise<void> {
  const { bytes, sha256, rows, summary } = proof
  const row = await findBackup(tx, id)
  const isOpen = await patchBackup(tx, id, {
    ...{ state: 'done', bytes, sha256, row_count: rows, summary: JSON.stringify(summary), key_id: written.keyId },
    ...{ snapshot_at: new Date(written.snapshotAt), finished_at: new Date(tx.clock()), stored_at: storedAt ?? null },
  })
  if (!isOpen) throw new Error(`The backup ${id} is not open any more`)
  const after = { name: row?.name, type: row?.type, rows, bytes, sha256, stored: storedAt !== undefined }
  await recordAudit(tx, { action: 'backup.finish', resource: 'backup', id, after })
}
