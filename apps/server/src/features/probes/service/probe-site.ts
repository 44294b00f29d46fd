import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { lookAt } from '../look.ts'
import { findProbedSite } from '../queries/states.ts'
import { recordLook } from '../record.ts'
import { isOwnFailure } from '../round.ts'
import type { ApplyProbe } from './apply.ts'

type Looked = { run: ProbeRun; health: HealthStatus }

/** A site that is gone, or was taken offline, is left alone. */
export async function lookAtSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<void> {
  const site = await findProbedSite(ctx, id)
  if (!site?.isLookedAt) return
  const look = await lookAt(site, ctx, ctx.clock)
  if (!isOwnFailure(look)) await recordLook(ctx, apply, id, look)
}

export async function probeSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<Looked> {
  const site = await findProbedSite(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  if (!site.isLookedAt)
    throw new AppError('conflict', 'The site was taken offline, so there is nothing to look at. Resume it first.')
  const look = await lookAt(site, ctx, ctx.clock)
  // One look alone cannot tell whether it is the console's own network that fails.
  if (isOwnFailure(look))
    throw new AppError(
      'unavailable',
      `The site could not be measured. ${look.run.detail}. What was known of it is kept, and it is looked at again within a minute.`,
    )
  const health = await recordLook(ctx, apply, id, look)
  if (!health) throw notFound(`Site ${id}`)
  return { run: look.run, health }
}
