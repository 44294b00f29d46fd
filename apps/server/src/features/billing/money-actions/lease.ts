import type { RequestContext } from '../../../context.ts'
import { type ActionRow, patchTry } from '../queries/money-actions.ts'
import { leaseMs, provenMs, resendMs } from './action.ts'

/** An action of several calls goes on: nobody else takes it up for another while. `resultId` is what it has made. */
export async function keepLease(ctx: RequestContext, action: ActionRow, resultId?: string): Promise<void> {
  await patchTry(ctx.db, action, {
    next_try_at: new Date(ctx.clock() + leaseMs),
    ...(resultId !== undefined && { result_id: resultId }),
  })
}

/** Written down before each call; false when somebody else has taken the action over, and nothing may be sent. */
export const markSent = (ctx: RequestContext, action: ActionRow): Promise<boolean> =>
  patchTry(ctx.db, action, { sent_at: new Date(ctx.clock()) })

/** From then on the provider shows what the newest call of it has done, which may have run on long after it was given up. */
export const provenFrom = ({ sent_at, created_at }: Pick<ActionRow, 'sent_at' | 'created_at'>): Date =>
  new Date((sent_at ?? created_at).getTime() + provenMs)

export const isProven = (ctx: RequestContext, action: ActionRow): boolean => ctx.clock() >= provenFrom(action).getTime()

/** Whether the provider still knows the first of its keys, so that the call may be repeated. */
export const mayBeResent = (ctx: RequestContext, { created_at }: ActionRow): boolean =>
  ctx.clock() - created_at.getTime() < resendMs
