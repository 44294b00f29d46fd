import { isPermission } from '@agency/contract/permissions'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'

/** What the screen of the rows needs, the file of them needs too. An attempt without it is written down. */
export async function needKindsPermission(
  ctx: RequestContext,
  permission: string,
  { action, id }: { action: string; id: string },
): Promise<void> {
  if (isPermission(permission) && ctx.actor.permissions.has(permission)) return
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, { action, resource: 'export', id, outcome: 'denied', after: { permission } }),
  )
  throw new AppError('forbidden', `This needs the permission ${permission}`, { permission })
}
