import type { SqlView } from '@agency/contract/sql-console'
import type { RequestContext } from '../../../context.ts'
import { allowedFunctions } from '../guard/allowed.ts'
import { findViews, findWritable } from '../queries/schema.ts'
import { createRoles } from '../reader-roles.ts'

type Schema = {
  views: SqlView[]
  functions: string[]
  masks_personal: boolean
  writable: { name: string; columns: string[] }[]
}

/** What can be asked, for the tree beside the query and for completion. */
export async function getSchema(ctx: RequestContext): Promise<Schema> {
  const { permissions } = ctx.actor
  return {
    views: await findViews(ctx.pool),
    functions: [...allowedFunctions],
    masks_personal: !permissions.has('customers.read'),
    writable: permissions.has('admin.sql_write') ? await findWritableShown(ctx) : [],
  }
}

async function findWritableShown(ctx: RequestContext): Promise<Schema['writable']> {
  const { names } = await ctx.instance(createRoles)()
  return (await findWritable(ctx.pool, names.writer)).map(({ name, columns }) => ({ name, columns }))
}
