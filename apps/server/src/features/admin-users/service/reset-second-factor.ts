import type { AdminUser } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { forgetTriesAt, replaceRecoveryCodes, revokeSessionsOf, saveTotp } from '../../auth/index.ts'
import { changePerson } from '../change-person.ts'
import { refuseSelf } from '../hierarchy.ts'
import { getUser } from './get-user.ts'

/** For somebody who lost the app and the recovery codes. */
export async function resetSecondFactor(
  ctx: RequestContext,
  id: string,
): Promise<{ user: AdminUser; ended_sessions: number }> {
  const ended = await changePerson(ctx, id, 'second_factor.reset', async (tx, person) => {
    refuseSelf(tx.actor, id, 'reset your own two-step verification here: turn it off in your profile')
    if (!person.totp_enabled_at) throw new AppError('conflict', `${person.name} has no two-step verification`)
    await saveTotp(tx, id, { secret: null, enabledAt: null, lastStep: null })
    await replaceRecoveryCodes(tx, id, [])
    await forgetTriesAt(tx, id)
    const sessions = await revokeSessionsOf(tx, id, 'second_factor_reset')
    await recordAudit(tx, {
      action: 'second_factor.reset',
      resource: 'user',
      id,
      after: { name: person.name, ended_sessions: sessions.length },
    })
    return sessions.length
  })
  return { user: await getUser(ctx, id), ended_sessions: ended }
}
