import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { revokeSessionsOf } from '../../auth/index.ts'
import { changePerson, refuseLastSuperAdmin } from '../change-person.ts'
import { refuseSelf } from '../hierarchy.ts'
import { findGoodApiKeys } from '../queries/access.ts'
import { deleteUserRow } from '../queries/users.ts'

type Answer = { success: true; ended_sessions: number; dead_api_keys: number }

/** What the person did stays in the audit log under the name that they had. */
export function deleteUser(ctx: RequestContext, id: string): Promise<Answer> {
  return changePerson(ctx, id, 'user.delete', async (tx, person): Promise<Answer> => {
    refuseSelf(tx.actor, id, 'delete yourself')
    await refuseLastSuperAdmin(tx, person)
    const keys = await findGoodApiKeys(tx, id)
    const sessions = await revokeSessionsOf(tx, id, 'deleted')
    await deleteUserRow(tx, id)
    const { email, name, role, is_active } = person
    const ended = { ended_sessions: sessions.length, dead_api_keys: keys.length }
    await recordAudit(tx, {
      action: 'user.delete',
      resource: 'user',
      id,
      before: { email, name, role, is_active },
      after: ended,
    })
    return { success: true, ...ended }
  })
}
