import type { Handover } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { forgetTriesAt, makeLink, revokeLinks, revokeSessionsOf } from '../../auth/index.ts'
import { changePerson, refuseInactive, refuseLastSuperAdmin } from '../change-person.ts'
import { refuseSelf } from '../hierarchy.ts'
import { addressOf, mailLink, mailTemporaryPassword } from '../mails.ts'
import { findNames, type LockedUser, patchUser } from '../queries/users.ts'
import { prepareTemporary, type TemporaryPassword } from '../temporary-password.ts'
import { getUser } from './get-user.ts'

type Given = { temporary_password?: string | null | undefined; send_email: boolean }
type Way = Omit<Handover, 'user'>

/**
 * Takes somebody's password away, for a temporary one or a link that lets them choose another: the old one may be known
 * to others. All of their sessions end.
 */
export async function resetPassword(ctx: RequestContext, id: string, given: Given): Promise<Handover> {
  const names = await findNames(ctx, id)
  if (!names) throw notFound('This administrator')
  const temporary =
    given.temporary_password == null ? null : await prepareTemporary(ctx, given.temporary_password, names)
  const way = await changePerson(ctx, id, 'user.reset_password', async (tx, person) => {
    refuseSelf(tx.actor, id, 'reset your own password here: change it in your profile')
    refuseInactive(person)
    const done = temporary
      ? await giveTemporary(tx, person, temporary, given.send_email)
      : await giveLink(tx, person, given.send_email)
    await forgetTriesAt(tx, id)
    const ended = await revokeSessionsOf(tx, id, 'password_reset')
    await recordAudit(tx, {
      action: 'user.reset_password',
      resource: 'user',
      id,
      after: { name: person.name, by: temporary ? 'temporary password' : 'link', ended_sessions: ended.length },
    })
    return done
  })
  return { user: await getUser(ctx, id), ...way }
}

async function giveTemporary(
  tx: TransactionContext,
  person: LockedUser,
  { hash, expiresAt }: TemporaryPassword,
  wantsMail: boolean,
): Promise<Way> {
  await patchUser(tx, person.id, { password_hash: hash, temporary_password_expires_at: expiresAt })
  await revokeLinks(tx, person.id)
  const mail = wantsMail ? await mailTemporaryPassword(tx, person, 'password_reset', expiresAt) : 'none'
  return { mail, link: null, link_expires_at: null }
}

async function giveLink(tx: TransactionContext, person: LockedUser, wantsMail: boolean): Promise<Way> {
  if (hasNeverCome(person))
    throw new AppError('conflict', `${person.name} has no password yet. Make a new invitation instead.`)
  await refuseLastSuperAdmin(tx, person)
  await patchUser(tx, person.id, { password_hash: null, temporary_password_expires_at: null })
  const link = await makeLink(tx, 'password_reset', person.id)
  const mail = wantsMail ? await mailLink(tx, person, { kind: 'password_reset', ...link }) : 'none'
  return { mail, link: addressOf(tx, link.path), link_expires_at: link.expiresAt.toISOString() }
}

/** Invited, and no password was ever chosen. */
export const hasNeverCome = (person: LockedUser): boolean =>
  person.password_hash === null && person.password_set_at === null
