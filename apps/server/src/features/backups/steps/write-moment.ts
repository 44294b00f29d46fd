import { join } from 'node:path'
import type { RequestContext } from '../../../context.ts'
import { fingerprintOfKey } from '../../../db/archive/sealed-file.ts'
import { writeArchive } from '../../../db/archive/write-archive.ts'
import { atMoment } from '../../../db/embedded/moment.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { ensureFolder, moveFile, partPath, removeParts, unprovenPath } from '../files.ts'
import { ensureKey } from '../keys.ts'
import { findChain } from '../queries/chain.ts'
import { openBackup } from './load.ts'
import type { Written } from './write.ts'

/** Which chain, and which moment of it. */
export type Moment = { of: string; at: string }

/** Makes a full backup of the database as it was at a moment between two incremental ones. */
export async function writeMoment(
  ctx: RequestContext,
  id: string,
  tries: number,
  { of, at }: Moment,
  { signal, progress }: StepWork,
): Promise<Written> {
  const links = await findChain(ctx, of)
  const upTo = links.findIndex(({ head }) => head.endsAt >= at)
  if (upTo === -1) throw new AppError('conflict', 'The incremental backups do not reach that point in time')
  await ensureFolder(ctx)
  await removeParts(ctx, id)
  const path = partPath(ctx, id, tries)
  const key = await ensureKey(ctx, await ctx.instance(createSecretBox))
  const chain = []
  for (const link of links.slice(0, upTo + 1)) chain.push(await openBackup(ctx, link.id))
  progress(0, null, 'Bringing a copy of the database to that point in time')
  const moment = { dataDir: join(ctx.config.dataDir, 'moment'), chain, at: new Date(at), log: ctx.log, signal }
  const { bytes, sha256 } = await atMoment(moment, (connectionString) =>
    writeArchive({
      ...{ connection: { connectionString }, path, key, id, console: ctx.config.version, now: new Date(at), signal },
      onRows: (done, about) => progress(done, Math.max(done, about), 'rows'),
    }),
  )
  await moveFile(ctx, path, unprovenPath(ctx, id))
  return { bytes, sha256, keyId: fingerprintOfKey(key), snapshotAt: at, isIncremental: false }
}
