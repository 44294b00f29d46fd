import type { BackupDrill } from '@agency/contract/backups'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { beginDrill } from '../drill-run.ts'
import { findNewestDone, findShownDrills } from '../queries/drills.ts'

export async function startDrill(ctx: RequestContext): Promise<BackupDrill> {
  const id = await inTransaction(ctx, async (tx) => {
    const newest = await findNewestDone(tx)
    if (!newest) throw new AppError('conflict', 'There is no finished backup yet. Create one first.')
    const begun = await beginDrill(tx, newest)
    if (!begun) throw new AppError('conflict', 'A drill is running. Wait until it is done.')
    return begun.id
  })
  const [shown] = await findShownDrills(ctx, id)
  return shown as BackupDrill
}
