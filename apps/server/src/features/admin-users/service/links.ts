import type { AdminUser, Handover } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { revokeLinks } from '../../auth/index.ts'
import { changePerson, refuseInactive } from '../change-person.ts'
import { invite } from './create-user.ts'
import { getUser } from './get-user.ts'
import { hasNeverCome } from './reset-password.ts'

export async function renewInvitation(ctx: RequestContext, id: string, wantsMail: boolean): Promise<Handover> {
  const way = await changePerson(ctx, id, 'invitation.renew', async (tx, person) => {
    refuseInactive(person)
    if (!hasNeverCome(person))
      throw new AppError('conflict', `${person.name} has a password already. Reset it instead.`)
    const made = await invite(tx, person, wantsMail)
    await recordAudit(tx, {
      action: 'invitation.renew',
      resource: 'user',
      id,
      after: { name: person.name, expires_at: made.link_expires_at, mail: made.mail },
    })
    return made
  })
  return { user: await getUser(ctx, id), ...way }
}

/** Makes whatever link waits to be used useless. Without one nothing changes. */
export async function revokeLink(ctx: RequestContext, id: string): Promise<{ user: AdminUser }> {
  await changePerson(ctx, id, 'link.revoke', async (tx, { name }) => {
    if ((await revokeLinks(tx, id)) === 0) return
    await recordAudit(tx, { action: 'link.revoke', resource: 'user', id, after: { name } })
  })
  return { user: await getUser(ctx, id) }
}
