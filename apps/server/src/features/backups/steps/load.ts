import type { RequestContext } from '../../../context.ts'
import { type LoadStage, loadArchive } from '../../../db/archive/load-archive.ts'
import { type ArchiveSource, fromFile, headOf } from '../../../db/archive/read-archive.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { filePath, isThere } from '../files.ts'
import { findKey } from '../keys.ts'
import { keyInStore, storeOf } from '../store.ts'

export const stageTexts: Record<LoadStage, string> = {
  schema: 'Creating tables',
  rows: 'rows',
  indexes: 'indexes and keys',
  verify: 'Comparing rows and totals',
}

async function sourceOf(ctx: RequestContext, id: string): Promise<ArchiveSource> {
  const path = filePath(ctx, id)
  if (await isThere(path)) return fromFile(path)
  const store = await storeOf(ctx)
  if (store && (await store.size(keyInStore(id))) !== null) return () => store.get(keyInStore(id))
  throw new AppError('conflict', 'The backup file is neither on this server nor in the S3 store')
}

/** A backup with the key that opens it, from the data folder or else from the store. */
export async function openBackup(ctx: RequestContext, id: string): Promise<{ source: ArchiveSource; key: Buffer }> {
  const source = await sourceOf(ctx, id)
  const { key: keyId } = await headOf(source)
  const key = await findKey(ctx, await ctx.instance(createSecretBox), keyId)
  if (!key)
    throw new AppError('conflict', 'This console has no key for this backup, or SECRETS_KEY no longer opens the key')
  return { source, key }
}

/** Loads the backup beside the data that is there; nothing of that changes. */
export async function load(
  ctx: RequestContext,
  backup: { id: string; rows: number },
  { signal, progress }: StepWork,
): Promise<void> {
  const { source, key } = await openBackup(ctx, backup.id)
  await loadArchive({
    ...{ connection: ctx.pool.options, source, key, signal },
    onProgress: (stage, done, total) =>
      progress(done, stage === 'rows' ? Math.max(backup.rows, done) : total, stageTexts[stage]),
  })
}
