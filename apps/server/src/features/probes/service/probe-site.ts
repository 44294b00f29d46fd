import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { lookAt } from '../look.ts'
import { findProbedSite, type ProbedSite } from '../queries/states.ts'
import { recordLook } from '../record.ts'
import type { ApplyProbe } from './apply.ts'

type Looked = { run: ProbeRun; health: HealthStatus }

async function look(ctx: AppContext, apply: ApplyProbe, site: ProbedSite): Promise<Looked | undefined> {
  const found = await lookAt(site, ctx, ctx.clock)
  const health = await recordLook(ctx, apply, site.id, found)
  return health && { run: found.run, health }
}

/** A site that is gone, or was taken offline, is left alone. */
export async function lookAtSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<void> {
  const site = await findProbedSite(ctx, id)
  if (site?.isLookedAt) await look(ctx, apply, site)
}

export async function probeSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<Looked> {
  const site = await findProbedSite(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  if (!site.isLookedAt)
    throw new AppError('conflict', 'The site was taken offline, so there is nothing to look at. Resume it first.')
  const looked = await look(ctx, apply, site)
  if (!looked) throw notFound(`Site ${id}`)
  return looked
}
