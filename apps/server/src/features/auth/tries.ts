import { createHash } from 'node:crypto'
import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { addressGroup } from '../../platform/http/address.ts'
import { notifyLockOut } from '../notifications/index.ts'
import { triesPerMinute } from './lockout.ts'
import {
  type CountedTry,
  countRecentTries,
  countTry,
  findLock,
  forgetTries,
  insertAttempt,
  type Subject,
  takeBackTry,
} from './queries/tries.ts'

export type TryMethod = 'login' | 'api' | 'email' | 'second_factor' | 'link'

/** What is tried: at the one admin key, or at an account, which may be nobody's. */
export type TryOf = { method: TryMethod; account?: { name: string; userId: string | null } }

export type Try = {
  address: string
  method: TryMethod
  userId: string | null
  counted: (Subject & CountedTry)[]
}

/** The same words, whether the key was right or not, and whether there is such an account or not. */
function locked(ctx: AppContext, until: Date, kind: Subject['kind']): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.clock()) / 1000))
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const whose = kind === 'address' ? 'from this address' : 'for this account'
  return new AppError('too_many_requests', `Too many wrong keys ${whose}. Try again in ${wait}.`, { retryAfter })
}

const groupOf = (ctx: RequestContext): string => addressGroup(ctx.address ?? 'unknown')

/** What was typed may be a password in the wrong field, so only a hash of it is kept. */
const accountSubject = (name: string): string =>
  `account:${createHash('sha256').update(name.trim().toLowerCase()).digest('base64url').slice(0, 24)}`

export async function refuseLocked(ctx: RequestContext): Promise<void> {
  const until = await findLock(ctx, groupOf(ctx))
  if (until) throw locked(ctx, until, 'address')
}

function subjectsOf(ctx: RequestContext, { account }: TryOf): Subject[] {
  const address: Subject = { kind: 'address', subject: groupOf(ctx), userId: null }
  if (!account) return [address]
  return [address, { kind: 'account', subject: accountSubject(account.name), userId: account.userId }]
}

/** Opens a try, which counts as failed until `succeed` says otherwise. Throws when the address or account has to wait. */
export async function beginTry(ctx: RequestContext, tried: TryOf): Promise<Try> {
  const address = groupOf(ctx)
  if ((await countRecentTries(ctx, address, triesPerMinute)) >= triesPerMinute)
    throw new AppError('too_many_requests', 'Too many sign-ins from this address. Try again in a minute.', {
      retryAfter: 60,
    })
  const subjects = subjectsOf(ctx, tried)
  // Before anything is counted: a try at a locked account does not bring its address nearer to a lock, nor the reverse.
  for (const { kind, subject } of subjects) {
    const until = await findLock(ctx, subject)
    if (until) throw locked(ctx, until, kind)
  }
  const counted: Try['counted'] = []
  for (const subject of subjects) counted.push({ ...subject, ...(await countOne(ctx, subject)) })
  return { address, method: tried.method, userId: tried.account?.userId ?? null, counted }
}

async function countOne(ctx: RequestContext, subject: Subject): Promise<CountedTry> {
  const counted = await countTry(ctx, subject)
  if (counted) return counted
  const until = await findLock(ctx, subject.subject)
  if (until) throw locked(ctx, until, subject.kind)
  // The lock ended between the two questions.
  return countOne(ctx, subject)
}

const isOwnAccount = (method: TryMethod): boolean => method !== 'login' && method !== 'api'

export async function succeed(
  tx: Parameters<typeof insertAttempt>[0],
  { address, method, userId, counted }: Try,
): Promise<void> {
  for (const one of counted) {
    // Whoever signs in to an account of their own has not shown that they know the admin key: what was tried at it from the
    // same address stays counted.
    if (one.kind === 'address' && isOwnAccount(method)) await takeBackTry(tx, one)
    else await forgetTries(tx, one.subject)
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
    for (const { kind, subject, failures, lockedUntil } of counted) {
      if (!lockedUntil) continue
      const until = lockedUntil.toISOString()
      const id = kind === 'account' ? (userId ?? subject) : subject
      await recordAudit(tx, { action: `${kind}.lock`, resource: kind, id, after: { failures, until } })
      if (kind === 'address') await notifyLockOut(tx, { address, failures, lockedUntil })
    }
  })
}
