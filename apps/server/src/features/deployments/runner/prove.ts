import type { RequestContext } from '../../../context.ts'
import type { DeployTarget } from '../../sites/index.ts'
import type { DeployProvider } from '../providers/provider.ts'
import { type DeploymentRow, findRow } from '../queries/rows.ts'
import { findServedBuild } from '../served.ts'
import { end, type Held } from './held.ts'

const againMs = 1000
/** A rollback is only as good as its proof; of a build the provider's word is enough. */
const proveForMs = { rollback: 60_000, build: 10_000 }

/** The build that is to be served in the end; null: it is not known. */
export async function expectedOf(ctx: RequestContext, row: DeploymentRow): Promise<string | null> {
  if (row.rolled_back_to === null) return row.build_id
  return (await findRow(ctx.db, row.rolled_back_to))?.build_id ?? null
}

/** Asks the site what it serves, until it is the awaited build or long enough was waited. */
export async function prove(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { target, provider }: { target: DeployTarget; provider: DeployProvider },
): Promise<number | null> {
  const isRollback = row.kind === 'rollback'
  const { domain, at_provider } = target.site
  const served = await findServedBuild(ctx, { domain, expected: await expectedOf(ctx, row), provider })
  if (served.matches === true) return end(ctx, held, () => ({ status: 'success', served }))
  const waited = ctx.clock() - (row.built_at?.getTime() ?? 0)
  const isServed = at_provider === 'served'
  if (isServed && waited < (isRollback ? proveForMs.rollback : proveForMs.build)) return againMs
  if (!isRollback) return end(ctx, held, () => ({ status: 'success', served }))
  const failure =
    served.build_id === null
      ? `The live build is unknown. ${served.detail}`
      : `Build ${served.build_id} is live instead`
  return end(ctx, held, () => ({ status: 'failed', failure, served }))
}
