import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { superAdmin } from '../auth/index.ts'
import { refuseIf, whyLocked } from './hierarchy.ts'
import { countOtherSuperAdmins, type LockedUser, lockSuperAdmins, lockUser } from './queries/users.ts'

/** `name`: of what it is done to, once that is known. */
export type About = { action: string; resource: 'user' | 'role'; id: string; name?: string }

/**
 * Makes a change that decides what people may do: it holds for the next request of everybody. An attempt at more than
 * the caller may do is written down, although nothing else of it is kept.
 */
export async function changeAccess<T>(
  ctx: RequestContext,
  about: About,
  work: (tx: TransactionContext) => Promise<T>,
): Promise<T> {
  try {
    const done = await inTransaction(ctx, work)
    // The database tells every process, this one included, but its own next request may come sooner.
    ctx.changes.tell('sessions')
    return done
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') await auditDenial(ctx, about, error.message)
    throw error
  }
}

function auditDenial(ctx: RequestContext, { name, ...about }: About, reason: string): Promise<void> {
  const after = { ...(name !== undefined && { name }), reason }
  return inTransaction(ctx, (tx) => recordAudit(tx, { ...about, outcome: 'denied', after }))
}

/** Changes a person whom the caller may change. */
export function changePerson<T>(
  ctx: RequestContext,
  id: string,
  action: string,
  work: (tx: TransactionContext, person: LockedUser) => Promise<T>,
): Promise<T> {
  const about: About = { action, resource: 'user', id }
  return changeAccess(ctx, about, async (tx) => {
    await lockSuperAdmins(tx)
    const person = await lockUser(tx, id)
    if (!person) throw notFound('This administrator')
    about.name = person.name
    refuseIf(whyLocked(tx.actor, person))
    return work(tx, person)
  })
}

function canSignIn(tx: TransactionContext, person: LockedUser): boolean {
  const end = person.temporary_password_expires_at
  return person.is_active && person.password_hash !== null && (end === null || end.getTime() > tx.clock())
}

/** For a change after which somebody is no super admin any more who can sign in. */
export async function refuseLastSuperAdmin(tx: TransactionContext, person: LockedUser): Promise<void> {
  if (person.role !== superAdmin || !canSignIn(tx, person)) return
  if ((await countOtherSuperAdmins(tx, person.id)) > 0) return
  throw new AppError(
    'conflict',
    `${person.name} is the last super admin who can sign in. Make someone else a super admin first.`,
  )
}

export function refuseInactive(person: LockedUser): void {
  if (!person.is_active) throw new AppError('conflict', `${person.name} is not active. Activate the account first.`)
}
