import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { adminKeyActor } from '../actors.ts'
import { createAdminKeyCheck } from '../admin-key.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { createTurns } from '../turns.ts'
import { describeOpened, openSession, type SignedIn } from './open-session.ts'

/** Trades the admin key for a new session key. */
export const signInWithKey = (ctx: RequestContext, key: string): Promise<SignedIn> =>
  ctx.instance(createTurns).withPlace(() => tryKey(ctx, key))

async function tryKey(ctx: RequestContext, key: string): Promise<SignedIn> {
  const tried = await beginTry(ctx, { method: 'login' })
  if (!(await ctx.instance(createAdminKeyCheck).isRight(key))) {
    await fail(ctx, tried)
    throw new AppError('unauthenticated', 'Invalid admin key. Please try again.')
  }
  const opened = await inTransaction(ctx, async (tx) => {
    await succeed(tx, tried)
    return openSession(tx, adminKeyActor, { stage: 'open', method: 'admin_key' })
  })
  return describeOpened(ctx, opened)
}
