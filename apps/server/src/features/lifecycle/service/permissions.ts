import type { Permission } from '@agency/contract/permissions'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { superAdmin } from '../../auth/index.ts'

type About = { action: string; customerId: string }

/** An attempt at more than the caller may do is written down, although nothing else of it is kept. */
async function refuse(ctx: RequestContext, { action, customerId }: About, reason: string): Promise<void> {
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, { action, resource: 'customer', id: customerId, outcome: 'denied', after: { reason } }),
  )
}

/** A permission beside the one of the call. */
export async function needPermission(ctx: RequestContext, about: About, permission: Permission): Promise<void> {
  if (ctx.actor.permissions.has(permission)) return
  const reason = `This needs the permission ${permission}`
  await refuse(ctx, about, reason)
  throw new AppError('forbidden', reason, { permission })
}

export async function needSuperAdmin(ctx: RequestContext, about: About, what: string): Promise<void> {
  if (ctx.actor.role === superAdmin) return
  const reason = `Only a super admin may ${what}`
  await refuse(ctx, about, reason)
  throw new AppError('forbidden', reason)
}
