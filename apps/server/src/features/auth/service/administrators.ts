import type * as auth from '@agency/contract/auth'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { Permission } from '@agency/contract/permissions'
import type { RequestContext } from '../../../context.ts'
import { findGivers } from '../queries/people.ts'

const shown = 3

/** Whom somebody may ask for a permission. A script asks nobody. */
export async function listAdministrators(
  ctx: RequestContext,
  permission: Permission,
): Promise<ResponseOf<typeof auth.listAdministrators>> {
  const names = ctx.actor.type === 'api_key' ? [] : await findGivers(ctx, permission, ctx.actor.id)
  return { names: names.slice(0, shown), others: Math.max(0, names.length - shown) }
}
