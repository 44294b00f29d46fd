import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RequestContext } from '../../../context.ts'
import { fingerprintOfKey } from '../../../db/archive/sealed-file.ts'
import { type WrittenArchive, writeArchive } from '../../../db/archive/write-archive.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { ensureFolder, moveFile, partPath, removeParts, unprovenPath } from '../files.ts'
import { ensureKey } from '../keys.ts'

/** What has to stay free on the disk that the database may share. */
const leastFreeBytes = 64 * 1024 * 1024

/** What the next step compares with. */
export type Written = Pick<WrittenArchive, 'bytes' | 'sha256'> & {
  keyId: string
  snapshotAt: string
  isIncremental: boolean
}

async function refuseFullDisk(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < leastFreeBytes) throw new AppError('conflict', 'The disk of the data folder is full')
}

/** Writes everything of one instant into a file that counts for nothing until it was read back. */
export async function write(
  ctx: RequestContext,
  id: string,
  tries: number,
  { signal, progress }: Pick<StepWork, 'signal' | 'progress'>,
): Promise<Written> {
  await ensureFolder(ctx)
  await removeParts(ctx, id)
  const path = partPath(ctx, id, tries)
  await refuseFullDisk(path)
  const key = await ensureKey(ctx, await ctx.instance(createSecretBox))
  const { bytes, sha256, preamble } = await writeArchive({
    ...{ connection: ctx.pool.options, path, key, id, console: ctx.config.version, now: new Date(ctx.clock()), signal },
    onRows: (done, about) => progress(done, Math.max(done, about), 'rows'),
  })
  await moveFile(ctx, path, unprovenPath(ctx, id))
  return { bytes, sha256, keyId: fingerprintOfKey(key), snapshotAt: preamble.snapshotAt, isIncremental: false }
}
