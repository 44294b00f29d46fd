import type { SiteDetails, SiteReach } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { countDeployments, findRow, type SiteRow } from '../queries/sites.ts'
import { findOpenSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { requestResumption, requestSuspension } from '../suspension/request.ts'
import { canTakeOffline, whyStillServed } from '../suspension/words.ts'
import { changeSites } from './change-sites.ts'
import { lockSite } from './find-site.ts'
import { getSite } from './get-site.ts'
import { providerSettingsOf } from './shown.ts'

export const suspendSite = (
  ctx: RequestContext,
  id: string,
  reason: string,
  claim: Claim | null,
): Promise<SiteDetails> =>
  changeSites(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    await requestSuspension(tx, await lockSite(tx, id), { reason, customerId: null })
    return getSite(tx, id)
  })

export const resumeSite = (ctx: RequestContext, id: string, claim: Claim | null): Promise<SiteDetails> =>
  changeSites(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    await requestResumption(tx, await lockSite(tx, id))
    return getSite(tx, id)
  })

/** What the project has attached now; unknown while Cloudflare does not answer. */
async function attachedNames(ctx: RequestContext, site: SiteRow): Promise<string[] | AppError> {
  const { project } = providerSettingsOf(site)
  if (!ctx.cloudflare) return new AppError('not_connected', 'Cloudflare is not connected')
  try {
    return (await ctx.cloudflare.listProjectDomains(project ?? '')).map(({ name }) => name)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function effectsOfSuspending(
  ctx: RequestContext,
  site: SiteRow,
): Promise<Pick<SiteReach, 'effects' | 'warnings'>> {
  const here = 'The site is marked as suspended; no deployments until resumed'
  if (!canTakeOffline(site)) return { effects: [here], warnings: [whyStillServed(site)] }
  const { project } = providerSettingsOf(site)
  const names = await attachedNames(ctx, site)
  if (names instanceof AppError)
    return {
      effects: [here, `The custom domains of the Pages project ${project} are detached`],
      warnings: [`The domains could not be loaded: ${names.message}`],
    }
  const what = names.length === 0 ? 'has no custom domain to detach' : `loses its custom domains: ${names.join(', ')}`
  return {
    effects: [here, `At Cloudflare the Pages project ${project} ${what}`, 'Resuming attaches them again'],
    warnings: ['The pages.dev address stays reachable'],
  }
}

const effectsOfResuming = (suspension: SuspensionRow): Pick<SiteReach, 'effects' | 'warnings'> => ({
  effects: [
    'The site is active again and can be deployed',
    ...(suspension.domains.length > 0
      ? [`Attaches these domains at Cloudflare: ${suspension.domains.join(', ')}`]
      : []),
  ],
  warnings: suspension.customer_id === null ? [] : ['The customer stays suspended'],
})

/** Of a site that is suspended: what resuming does. Of any other: what suspending does, at its provider too. */
export async function previewSuspension(ctx: RequestContext, id: string): Promise<SiteReach> {
  const site = await findRow(ctx.db, id)
  if (!site) throw notFound(`Site ${id}`)
  const suspension = await findOpenSuspension(ctx.db, id)
  const isSuspended = suspension !== undefined && suspension.state !== 'resuming'
  const reach = isSuspended ? effectsOfResuming(suspension) : await effectsOfSuspending(ctx, site)
  const deployments = await countDeployments(ctx.db, id)
  const running = deployments.open > 0 && !isSuspended ? ['The running deployment is not stopped'] : []
  return {
    site: { id, site_name: site.site_name, domain: site.domain },
    ...{ effects: reach.effects, warnings: [...reach.warnings, ...running], blocked: null },
  }
}
