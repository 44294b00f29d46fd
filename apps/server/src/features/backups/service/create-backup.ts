import { randomUUID } from 'node:crypto'
import type { Backup, BackupType } from '@agency/contract/backups'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { beginBackup } from '../begin-backup.ts'
import { incrementalBlock } from '../incremental-block.ts'
import { findOpenBackup } from '../queries/backups.ts'
import { findChain } from '../queries/chain.ts'
import type { Moment } from '../steps/write-moment.ts'
import { getBackup } from './shown.ts'

export const newBackupId = (): string => `bak_${randomUUID().replaceAll('-', '')}`

/** Writes down that a moment of a chain is wanted as a full backup. */
export async function createMoment(
  ctx: RequestContext,
  of: string,
  { at, name }: { at: string; name: string },
  claim: Claim | null,
): Promise<Backup> {
  const { chain } = await getBackup(ctx, of)
  if (!chain) throw new AppError('conflict', 'Only a finished incremental backup can be brought to a point in time')
  const moment = new Date(at).toISOString()
  const reach = await findChain(ctx, of)
  const until = reach.at(-1)?.head.endsAt ?? chain.until
  if (moment < chain.from || moment > until)
    throw invalidParameter('at', `must be from ${chain.from} to ${until}, which the chain reaches`)
  return begin(ctx, { name, type: 'full', moment: { of, at: moment } }, claim)
}

type Wanted = { type: BackupType; name: string }

/** Writes down what is wanted; a run makes it. */
export async function createBackup(ctx: RequestContext, { type, name }: Wanted, claim: Claim | null): Promise<Backup> {
  const blocked = type === 'incremental' ? incrementalBlock(ctx) : null
  if (blocked !== null) throw new AppError('conflict', blocked)
  return begin(ctx, { type, name }, claim)
}

async function begin(ctx: RequestContext, wanted: Wanted & { moment?: Moment }, claim: Claim | null): Promise<Backup> {
  const id = newBackupId()
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    const open = await findOpenBackup(tx)
    if (open)
      throw new AppError('conflict', `The backup ${open.name} is running. Wait until it is done, or cancel it first.`)
    await beginBackup(tx, { id, ...wanted, cause: 'asked' })
  })
  return getBackup(ctx, id)
}
