import { randomUUID } from 'node:crypto'
import type { adminUsers } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { Handover } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { makeLink } from '../../auth/index.ts'
import { changeAccess } from '../change-person.ts'
import { addressOf, type MailState, mailLink, mailTemporaryPassword } from '../mails.ts'
import { insertUser } from '../queries/users.ts'
import { prepareTemporary, type TemporaryPassword } from '../temporary-password.ts'
import { getUser } from './get-user.ts'
import { getRoleToGive } from './give-role.ts'

type NewUser = BodyOf<typeof adminUsers.createUser>
type Way = Omit<Handover, 'user'>

/** Adds somebody, who comes in with a temporary password or with a link that lets them choose one. */
export async function createUser(ctx: RequestContext, given: NewUser): Promise<Handover> {
  const id = randomUUID()
  const temporary =
    given.temporary_password == null ? null : await prepareTemporary(ctx, given.temporary_password, given)
  const way = await changeAccess(ctx, { action: 'user.create', resource: 'user', id, name: given.name }, async (tx) => {
    const role = await getRoleToGive(tx, given.role_id)
    const now = new Date(tx.clock())
    await insertUser(tx, {
      id,
      email: given.email,
      name: given.name,
      role_id: role.id,
      password_hash: temporary?.hash ?? null,
      temporary_password_expires_at: temporary?.expiresAt ?? null,
      created_at: now,
      updated_at: now,
      created_by: tx.actor.id,
      created_by_name: tx.actor.name,
    })
    const { email, name } = given
    await recordAudit(tx, {
      action: 'user.create',
      resource: 'user',
      id,
      after: { email, name, role: role.name, comes_by: temporary ? 'temporary password' : 'invitation' },
    })
    const wantsMail = given.send_welcome_email
    return temporary
      ? welcome(tx, { id, email, name }, temporary, wantsMail)
      : invite(tx, { id, email, name }, wantsMail)
  })
  return { user: await getUser(ctx, id), ...way }
}

type Person = { id: string; email: string; name: string }

async function welcome(
  tx: TransactionContext,
  person: Person,
  { expiresAt }: TemporaryPassword,
  wantsMail: boolean,
): Promise<Way> {
  const mail = wantsMail ? await mailTemporaryPassword(tx, person, 'welcome', expiresAt) : 'none'
  return { mail, link: null, link_expires_at: null }
}

/** Makes an invitation, which takes the place of an earlier one. */
export async function invite(tx: TransactionContext, person: Person, wantsMail: boolean): Promise<Way> {
  const link = await makeLink(tx, 'invitation', person.id)
  const mail: MailState = wantsMail ? await mailLink(tx, person, { kind: 'invitation', ...link }) : 'none'
  return { mail, link: addressOf(tx, link.path), link_expires_at: link.expiresAt.toISOString() }
}
