import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { environmentFor } from '../../sites/index.ts'
import type { DeployProvider } from '../providers/provider.ts'
import { findLastEnvironment } from '../queries/environments.ts'
import type { DeploymentRow } from '../queries/rows.ts'

type Given = { version: number | null; note: string | null }

/** Names that an earlier build got and this one does not. */
async function goneNames(ctx: AppContext, row: DeploymentRow, values: Readonly<Record<string, string>>) {
  const last = await findLastEnvironment(ctx.db, row.lane)
  const before = last === null ? null : await environmentFor(ctx, row.site_id, last)
  return Object.keys(before?.values ?? {}).filter((name) => !Object.hasOwn(values, name))
}

/** Hands the site's environment to the provider before a build. Doing it twice changes nothing. */
export async function giveEnvironment(ctx: AppContext, provider: DeployProvider, row: DeploymentRow): Promise<Given> {
  if (row.kind === 'rollback') return { version: null, note: null }
  const environment = await environmentFor(ctx, row.site_id)
  if (environment === null) return { version: null, note: null }
  const isTaken = await provider.setEnvironment(environment.values, await goneNames(ctx, row, environment.values))
  if (isTaken) return { version: environment.version, note: null }
  return {
    version: null,
    note: 'Deploy hooks use their own environment; the variables here are not sent',
  }
}

/** The values that must not show up in the log of a build. */
export async function secretValues(
  ctx: AppContext,
  { site_id, environment_version }: DeploymentRow,
): Promise<string[]> {
  try {
    const current = await environmentFor(ctx, site_id)
    const isCurrent = environment_version === null || environment_version === current?.version
    const then = isCurrent ? null : await environmentFor(ctx, site_id, environment_version)
    return [...Object.values(current?.values ?? {}), ...Object.values(then?.values ?? {})]
  } catch (error) {
    // Values that cannot be opened here were not given to the build by this console either.
    if (error instanceof AppError) return []
    throw error
  }
}
