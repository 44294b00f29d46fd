import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { addressGroup } from '../../platform/http/address.ts'
import { notifyLockOut } from '../notifications/index.ts'
import { triesPerMinute } from './lockout.ts'
import { type CountedTry, countRecentTries, countTry, findLock, forgetTries, insertAttempt } from './queries/tries.ts'

export type TryMethod = 'login' | 'api'
export type Try = CountedTry & { address: string; method: TryMethod }

/** The same words, whether the key was right or not. */
function locked(ctx: AppContext, until: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.clock()) / 1000))
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new AppError('too_many_requests', `Too many wrong keys from this address. Try again in ${wait}.`, {
    retryAfter,
  })
}

const groupOf = (ctx: RequestContext): string => addressGroup(ctx.address ?? 'unknown')

export async function refuseLocked(ctx: RequestContext): Promise<void> {
  const until = await findLock(ctx, groupOf(ctx))
  if (until) throw locked(ctx, until)
}

/** Opens a try, which counts as failed until `succeed` says otherwise. Throws when the address has to wait. */
export async function beginTry(ctx: RequestContext, method: TryMethod): Promise<Try> {
  const address = groupOf(ctx)
  if ((await countRecentTries(ctx, address, triesPerMinute)) >= triesPerMinute)
    throw new AppError('too_many_requests', 'Too many sign-ins from this address. Try again in a minute.', {
      retryAfter: 60,
    })
  const counted = await countTry(ctx, address)
  if (counted) return { ...counted, address, method }
  await refuseLocked(ctx)
  // The lock ended between the two questions.
  return beginTry(ctx, method)
}

export async function succeed(tx: Parameters<typeof insertAttempt>[0], { address, method }: Try): Promise<void> {
  await forgetTries(tx, address)
  await insertAttempt(tx, { address, method, succeeded: true })
}

export async function fail(ctx: RequestContext, { address, method, failures, lockedUntil }: Try): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await insertAttempt(tx, { address, method, succeeded: false })
    await recordAudit(tx, {
      action: 'session.sign_in',
      resource: 'session',
      id: null,
      outcome: 'failed',
      after: { method, failures },
    })
    if (!lockedUntil) return
    const until = lockedUntil.toISOString()
    await recordAudit(tx, { action: 'address.lock', resource: 'address', id: address, after: { failures, until } })
    await notifyLockOut(tx, { address, failures, lockedUntil })
  })
}
