import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findOpenRun } from '../../../platform/runs/queries.ts'
import { lockState, patchState } from '../../customer-states/index.ts'
import { lockMirror } from '../../mirror/index.ts'
import { resumeForCustomer, sitesToResume } from '../../sites/index.ts'
import { runName } from '../job-settings.ts'
import { findCustomer, lockCustomer } from '../queries/situation.ts'

/** Back into the lists, as it was. */
export async function restoreCustomer(ctx: RequestContext, id: string): Promise<{ success: true }> {
  await inTransaction(ctx, async (tx) => {
    await lockCustomer(tx.db, id)
    if (!(await findCustomer(tx.db, id))) throw notFound(`Customer ${id}`)
    const state = await lockState(tx.db, id)
    if (!state?.deleted_at) throw new AppError('conflict', 'This customer is not deleted')
    if (state.erased_at) throw new AppError('conflict', 'This customer was erased and cannot be restored')
    if (await findOpenRun(tx.db, runName, id))
      throw new AppError('conflict', 'Another change to this customer is running. Try again in a moment.')
    await lockMirror(tx.db)
    await patchState(tx.db, id, { deleted_at: null, deleted_by: null, erase_at: null })
    const deed_id = randomUUID()
    const before = { deleted_at: state.deleted_at.toISOString(), erase_at: state.erase_at?.toISOString() ?? null }
    const after = { deleted_at: null, erase_at: null, deed_id }
    await recordAudit(tx, { action: 'customer.restore', resource: 'customer', id, before, after })
    // A customer that is suspended as well keeps its sites suspended.
    if (state.suspended_at === null) {
      const sites = (await sitesToResume(tx, id)).map((site) => site.id)
      await resumeForCustomer(tx, sites, { customerId: id, runId: deed_id })
    }
  })
  // This process hears of a change like all others, but its own next request may come sooner.
  ctx.changes.tell('customers')
  return { success: true }
}
