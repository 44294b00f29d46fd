import type { RequestContext } from '../../../context.ts'
import { type ActionRow, patchTry } from '../queries/money-actions.ts'
import { leaseMs } from './action.ts'

/** An action of several calls goes on: nobody else takes it up for another while. `resultId` is what it has made. */
export async function keepLease(ctx: RequestContext, action: ActionRow, resultId?: string): Promise<void> {
  await patchTry(ctx.db, action, {
    next_try_at: new Date(ctx.clock() + leaseMs),
    ...(resultId !== undefined && { result_id: resultId }),
  })
}
