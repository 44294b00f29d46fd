import { join } from 'node:path'
import type { RequestContext } from '../../../context.ts'
import { atMoment } from '../../../db/embedded/moment.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { findChain } from '../queries/chain.ts'
import { openBackup } from './load.ts'
import { tellingRows } from './write.ts'
import { type Target, type Written, writeFile } from './write-file.ts'

/** Which chain, and which moment of it. */
export type Moment = { of: string; at: string }

/** Makes a full backup of the database as it was at a moment between two incremental ones. */
export async function writeMoment(
  ctx: RequestContext,
  target: Target,
  { of, at }: Moment,
  { signal, progress }: StepWork,
): Promise<Written> {
  const links = await findChain(ctx, of)
  const upTo = links.findIndex(({ head }) => head.endsAt >= at)
  if (upTo === -1) throw new AppError('conflict', 'The incremental backups do not reach that point in time')
  const chain = []
  for (const link of links.slice(0, upTo + 1)) chain.push(await openBackup(ctx, link.id))
  progress(0, null, 'Bringing a copy of the database to that point in time')
  const now = new Date(at)
  const moment = { dataDir: join(ctx.config.dataDir, 'moment'), chain, at: now, log: ctx.log, signal }
  const written = await atMoment(moment, (connectionString) =>
    writeFile(ctx, target, { work: 'rows', connectionString }, { signal, now, onNews: tellingRows(progress) }),
  )
  return { ...written, snapshotAt: at }
}
