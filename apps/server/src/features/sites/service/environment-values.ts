import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { type EnvironmentRow, findEnvironment } from '../queries/environments.ts'
import type { Variables } from '../rules/environment.ts'

type Where = Pick<RequestContext, 'db' | 'instance'>

export async function openValues(ctx: Where, row: EnvironmentRow | undefined): Promise<Variables> {
  if (!row) return {}
  const opened = (await ctx.instance(createSecretBox)).open(row.sealed)
  if (opened === null)
    throw new AppError(
      'conflict',
      'The values were encrypted with another SECRETS_KEY. Restore that key, or enter the variables again.',
    )
  return JSON.parse(opened) as Variables
}

/** The values that a deployment gets, of the newest version or of the one that is named; null when there are none. */
export async function environmentFor(
  ctx: Where,
  siteId: string,
  version?: number,
): Promise<{ version: number; values: Variables } | null> {
  const row = await findEnvironment(ctx.db, siteId, version)
  return row ? { version: row.version, values: await openValues(ctx, row) } : null
}

/** The names of one version alone. */
export async function environmentNames(db: RequestContext['db'], siteId: string, version?: number): Promise<string[]> {
  return (await findEnvironment(db, siteId, version))?.names ?? []
}
