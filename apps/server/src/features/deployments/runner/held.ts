import { type AppContext, asSystem, inTransaction, type RequestContext } from '../../../context.ts'
import { patchHeld } from '../queries/leases.ts'
import { type DeploymentChange, type DeploymentRow, lockRow } from '../queries/rows.ts'
import { type Ending, finish } from './finish.ts'

/** A deployment that this process works on, as long as it holds the lease. */
export type Held = {
  id: string
  owner: string
  /** The provider was asked by this very process. */
  hasSent: boolean
  /** When its log was fetched last. */
  readLogAt: number
}

export const runnerContext = (ctx: AppContext): RequestContext => asSystem(ctx, 'job', 'deployments.run')

/** Answers whether it was changed: not when somebody else has it by now. */
export const patch = async (ctx: AppContext, held: Held, change: DeploymentChange): Promise<boolean> =>
  (await patchHeld(ctx.db, held, change)) !== undefined

/** Ends it in one transaction with all that follows from that, unless somebody else has it by now. */
export function end(ctx: RequestContext, held: Held, endingOf: (row: DeploymentRow) => Ending): Promise<null> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockRow(tx.db, held.id)
    if (row?.lease_owner === held.owner) await finish(tx, row, endingOf(row))
    return null
  })
}
