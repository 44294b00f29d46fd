import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { notifyLockOut } from '../notifications/index.ts'
import { type LockRule, triesPerMinute } from './lockout.ts'
import {
  type CountedTry,
  countRecentTries,
  countTry,
  findLock,
  forgetTries,
  insertAttempt,
  takeBackTries,
} from './queries/tries.ts'
import { gatesOf, groupOf, type Subject, subjectsOf, type TriedAt } from './subjects.ts'

export type TryMethod = 'login' | 'api' | 'email' | 'second_factor' | 'link'

export type TryOf = TriedAt & { method: TryMethod }

export type Try = {
  address: string
  method: TryMethod
  userId: string | null
  counted: (Subject & CountedTry)[]
}

const whoseOf: Record<LockRule, string> = {
  address: 'from this address',
  everything: 'from this address',
  proxy: 'through this proxy',
  account: 'for this account',
}

/** The same words, whether the key was right or not, and whether there is such an account or not. */
function locked(ctx: AppContext, until: Date, rule: LockRule): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.clock()) / 1000))
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new AppError('too_many_requests', `Too many wrong keys ${whoseOf[rule]}. Try again in ${wait}.`, {
    retryAfter,
  })
}

/** For the admin key, unless `at` names an account. */
export async function refuseLocked(ctx: RequestContext, at: TriedAt = {}): Promise<void> {
  const gates = gatesOf(ctx, at)
  const lock = await findLock(
    ctx,
    gates.map(({ subject }) => subject),
  )
  const gate = gates.find(({ subject }) => subject === lock?.subject)
  if (lock && gate) throw locked(ctx, lock.until, gate.rule)
}

/** Opens a try, which counts as failed until `succeed` says otherwise. Throws when the address or account has to wait. */
export async function beginTry(ctx: RequestContext, tried: TryOf): Promise<Try> {
  const address = groupOf(ctx)
  if ((await countRecentTries(ctx, address, triesPerMinute)) >= triesPerMinute)
    throw new AppError('too_many_requests', 'Too many sign-ins from this address. Try again in a minute.', {
      retryAfter: 60,
    })
  // Before anything is counted: a try at a locked account does not bring its address nearer to a lock, nor the reverse.
  await refuseLocked(ctx, tried)
  const counted: Try['counted'] = []
  for (const subject of subjectsOf(ctx, tried)) counted.push({ ...subject, ...(await countOne(ctx, subject)) })
  return { address, method: tried.method, userId: tried.account?.userId ?? null, counted }
}

async function countOne(ctx: RequestContext, subject: Subject): Promise<CountedTry> {
  const counted = await countTry(ctx, subject)
  if (counted) return counted
  const lock = await findLock(ctx, [subject.subject])
  if (lock) throw locked(ctx, lock.until, subject.rule)
  // The lock ended between the two questions.
  return countOne(ctx, subject)
}

/**
 * Forgets what was tried at the account, or at the admin key, from this address, and nothing else: what was tried at others
 * from here stays counted.
 */
export async function succeed(
  tx: Parameters<typeof insertAttempt>[0],
  { address, method, userId, counted }: Try,
): Promise<void> {
  const own = counted.find(({ rule }) => rule === 'address')
  const forgotten = own ? await forgetTries(tx, own.subject) : 0
  for (const one of counted) {
    if (one.rule === 'account') await forgetTries(tx, one.subject)
    if (one.rule === 'everything' || one.rule === 'proxy') await takeBackTries(tx, one, Math.max(1, forgotten))
  }
  await insertAttempt(tx, { address, method, succeeded: true, user_id: userId, reason: null })
}

/** Writes a failed try down, and what it locked. `reason` is for administrators, never for the caller. */
export async function fail(ctx: RequestContext, tried: Try, reason: string | null = null): Promise<void> {
  const { address, method, userId, counted } = tried
  await inTransaction(ctx, async (tx) => {
    await insertAttempt(tx, { address, method, succeeded: false, user_id: userId, reason })
    await recordAudit(tx, {
      action: 'session.sign_in',
      resource: 'session',
      id: null,
      outcome: 'failed',
      after: { method, failures: counted[0]?.failures, ...(userId !== null && { user: userId }) },
    })
    for (const { rule, subject, failures, lockedUntil } of counted) {
      if (!lockedUntil) continue
      const until = lockedUntil.toISOString()
      const kind = rule === 'account' ? 'account' : 'address'
      const id = kind === 'account' ? (userId ?? subject) : address
      await recordAudit(tx, { action: `${kind}.lock`, resource: kind, id, after: { failures, until } })
      if (kind === 'address') await notifyLockOut(tx, { address, failures, lockedUntil })
    }
  })
}
