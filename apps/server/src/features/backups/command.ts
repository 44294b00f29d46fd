import type { Config } from '../../config.ts'
import { type AppContext, asSystem, inTransaction, type RequestContext } from '../../context.ts'
import { loadArchive, loadingSchema } from '../../db/archive/load-archive.ts'
import { fromFile, headOf } from '../../db/archive/read-archive.ts'
import type { Database } from '../../db/client.ts'
import { createInstances } from '../../platform/instances.ts'
import { beginRun } from '../../platform/runs/change.ts'
import type { StepWork } from '../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { finish, longestS } from './begin-backup.ts'
import { filePath } from './files.ts'
import { findKey } from './keys.ts'
import { insertBackup } from './queries/backups.ts'
import { findFingerprintIn } from './queries/fingerprint-in.ts'
import { insertRestore } from './queries/restores.ts'
import { restoreRunName } from './restore-run.ts'
import { newBackupId } from './service/create-backup.ts'
import { newRestoreId } from './service/restore.ts'
import { readBack } from './steps/read-back.ts'
import { switchTo } from './steps/switch.ts'
import { write } from './steps/write.ts'

/** As much of a console as a command has that runs beside one, or without any. */
export type CommandContext = Pick<AppContext, 'config' | 'db' | 'pool' | 'clock' | 'instance' | 'jobs'> &
  Pick<RequestContext, 'actor' | 'requestId' | 'address' | 'userAgent'>

export function commandContext(
  config: Config,
  { kysely, pool }: Pick<Database, 'kysely' | 'pool'>,
  name: string,
): CommandContext {
  // A run that a command begins is found by the sweep of the next console.
  const jobs = { enqueue: async () => null } as unknown as AppContext['jobs']
  const parts = { config, db: kysely, pool, clock: Date.now, jobs }
  const instance = createInstances((): AppContext => whole as unknown as AppContext)
  const whole = { ...parts, instance }
  return asSystem(whole, 'job', name)
}

type Told = Pick<StepWork, 'signal' | 'progress'>

/** Makes a backup now and answers its file. It is listed only once it was read back. */
export async function backupNow(ctx: CommandContext, name: string, work: Told, cause: 'command' | 'before_restore') {
  const id = newBackupId()
  const request = ctx as RequestContext
  const written = await write(request, { id, tries: 1 }, work)
  const proof = await readBack(request, id, written, work)
  await inTransaction(request, async (tx) => {
    await insertBackup(tx, {
      ...{ id, name, type: 'full', cause, state: 'open', created_at: new Date(written.snapshotAt) },
      ...{ maker_type: tx.actor.type, maker_id: tx.actor.id, maker_name: tx.actor.name },
    })
    await finish(tx, id, { written, proof })
  })
  return { id, path: filePath(ctx, id), bytes: proof.bytes }
}

/** The key of a file, where the database that is here knows it. */
export async function keyKnownHere(ctx: CommandContext, path: string): Promise<Buffer | null> {
  const { key } = await headOf(fromFile(path))
  return findKey(ctx, await ctx.instance(createSecretBox), key)
}

type FileOrder = { path: string; key: Buffer; safetyBackupId: string | null }

/** Puts a file in the place of what the database holds. The console's next start brings in what happened since. */
export async function restoreFile(ctx: CommandContext, order: FileOrder, work: Told): Promise<{ snapshotAt: string }> {
  const { path, key, safetyBackupId } = order
  const head = await headOf(fromFile(path))
  const { preamble } = await loadArchive({
    ...{ connection: ctx.pool.options, source: fromFile(path), key, signal: work.signal },
    onProgress: (stage, done, total) => work.progress(done, total, stage),
  })
  const box = await ctx.instance(createSecretBox)
  const fingerprint = await findFingerprintIn(ctx, loadingSchema)
  if (fingerprint !== null && fingerprint !== box.fingerprint)
    throw new Error('SECRETS_KEY is not the one of this backup: take it from the recovery kit. Nothing was replaced')
  const restore = {
    ...{ id: newRestoreId(), returns_id: null, backup_id: head.id, backup_name: `File of ${preamble.snapshotAt}` },
    ...{ snapshot_at: new Date(preamble.snapshotAt), safety_backup_id: safetyBackupId },
  }
  const begin = async (db: AppContext['db']): Promise<void> => {
    const tx = { ...ctx, db } as unknown as Parameters<typeof beginRun>[0]
    await insertRestore(tx, {
      ...{ ...restore, state: 'open', created_at: new Date(ctx.clock()) },
      ...{ maker_type: ctx.actor.type, maker_id: ctx.actor.id, maker_name: ctx.actor.name },
    })
    await beginRun(tx, {
      ...{ id: restore.id, name: restoreRunName, kind: 'restore', subject: restore.id, topic: 'backups' },
      ...{ options: {}, longestS, steps: [{ name: 'replay', target: null, payload: {} }] },
    })
  }
  await switchTo(ctx, { restore, from: loadingSchema, startedBy: ctx.actor.name, begin }, work.signal)
  return { snapshotAt: preamble.snapshotAt }
}
