import type { AdminUser } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { revokeLinks, revokeSessionsOf } from '../../auth/index.ts'
import { changePerson, refuseLastSuperAdmin } from '../change-person.ts'
import { refuseSelf } from '../hierarchy.ts'
import { patchUser } from '../queries/users.ts'
import { getUser } from './get-user.ts'

type Answer = { user: AdminUser; ended_sessions: number }

/** Keeps somebody out: sessions and open links end. Who is out already stays as they are. */
export async function deactivateUser(ctx: RequestContext, id: string): Promise<Answer> {
  const ended = await changePerson(ctx, id, 'user.deactivate', async (tx, person) => {
    refuseSelf(tx.actor, id, 'deactivate yourself')
    if (!person.is_active) return 0
    await refuseLastSuperAdmin(tx, person)
    await patchUser(tx, id, { is_active: false })
    const sessions = await revokeSessionsOf(tx, id, 'deactivated')
    const links = await revokeLinks(tx, id)
    await recordAudit(tx, {
      action: 'user.deactivate',
      resource: 'user',
      id,
      before: { name: person.name, is_active: true },
      after: { name: person.name, is_active: false, ended_sessions: sessions.length, revoked_links: links },
    })
    return sessions.length
  })
  return { user: await getUser(ctx, id), ended_sessions: ended }
}

export async function activateUser(ctx: RequestContext, id: string): Promise<Answer> {
  await changePerson(ctx, id, 'user.activate', async (tx, person) => {
    if (person.is_active) return
    await patchUser(tx, id, { is_active: true })
    await recordAudit(tx, {
      action: 'user.activate',
      resource: 'user',
      id,
      before: { name: person.name, is_active: false },
      after: { name: person.name, is_active: true },
    })
  })
  return { user: await getUser(ctx, id), ended_sessions: 0 }
}
