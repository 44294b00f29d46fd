import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RequestContext } from '../../../context.ts'
import { fingerprintOfKey } from '../../../db/archive/sealed-file.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { ensureFolder, moveFile, partPath, removeParts, unprovenPath } from '../files.ts'
import { ensureKey } from '../keys.ts'
import { runWriter } from '../run-writer.ts'
import type { ClusterOrder, News, RowsOrder } from '../writer/order.ts'

/** What has to stay free on the disk that the database may share. */
const leastFreeBytes = 64 * 1024 * 1024

/** What the next step compares with. */
export type Written = { bytes: number; sha256: string; keyId: string; snapshotAt: string; isIncremental: boolean }

/** Which backup, and by which try. */
export type Target = { id: string; tries: number }
type Content = Pick<RowsOrder, 'work' | 'connectionString'> | Pick<ClusterOrder, 'work' | 'dataDir' | 'chain'>
type Told = Pick<StepWork, 'signal'> & { now?: Date; onNews(news: News): void }

async function refuseFullDisk(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < leastFreeBytes) throw new AppError('conflict', 'The disk of the data folder is full')
}

/** Writes a file that counts for nothing until it was read back. */
export async function writeFile(
  ctx: RequestContext,
  { id, tries }: Target,
  content: Content,
  { signal, now = new Date(ctx.clock()), onNews }: Told,
): Promise<Written> {
  await ensureFolder(ctx)
  await removeParts(ctx, id)
  const path = partPath(ctx, id, tries)
  await refuseFullDisk(path)
  const key = await ensureKey(ctx, await ctx.instance(createSecretBox))
  const file = { path, key: key.toString('base64'), id, console: ctx.config.version, now: now.toISOString() }
  const sealed = await runWriter({ ...file, ...content }, { signal, onNews })
  await moveFile(ctx, path, unprovenPath(ctx, id))
  return { ...sealed, keyId: fingerprintOfKey(key), isIncremental: content.work === 'cluster' }
}
