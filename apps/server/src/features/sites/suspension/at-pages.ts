import type { RequestContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { findDomainsOfOthers, patchSuspension, type SuspensionRow } from '../queries/suspensions.ts'

function connected({ cloudflare }: RequestContext): CloudflareGateway {
  if (!cloudflare) throw new AppError('not_connected', 'Cloudflare is not connected')
  return cloudflare
}

const namesAt = async (cloudflare: CloudflareGateway, project: string): Promise<string[]> =>
  (await cloudflare.listProjectDomains(project)).map(({ name }) => name.toLowerCase())

/** How it ended: what the provider says is so, and what somebody should know of it. */
export type Verdict = { isOffline: boolean; note: string | null }

/**
 * Takes the custom domains from the project, and looks that they are gone. What is taken is written down before, so that a
 * process that ends in the middle is followed by one that knows it.
 */
export async function detachAll(ctx: RequestContext, suspension: SuspensionRow): Promise<Verdict> {
  const cloudflare = connected(ctx)
  const project = suspension.project ?? ''
  const known = await cloudflare.findProject(project)
  if (!known) return { isOffline: false, note: `Project ${project} not found at Cloudflare: nothing taken offline` }
  const attached = await namesAt(cloudflare, project)
  const others = await findDomainsOfOthers(ctx.db, suspension.site_id, attached)
  const own = attached.filter((name) => !others.has(name))
  const domains = [...new Set([...suspension.domains, ...own])]
  if (domains.length === 0) return { isOffline: false, note: `The project ${project} has no custom domain to detach` }
  await patchSuspension(ctx.db, suspension.id, { domains })
  for (const name of own) await cloudflare.detachDomain(project, name)
  const left = (await namesAt(cloudflare, project)).filter((name) => domains.includes(name))
  if (left.length > 0) throw new AppError('provider_bad_answer', `Cloudflare still serves ${left.join(', ')}`)
  const ownAddress = known.subdomain ? `; ${known.subdomain} stays reachable` : ''
  return { isOffline: true, note: `Detached at Cloudflare: ${domains.join(', ')}${ownAddress}` }
}

/** Gives the project its custom domains back, and looks that it has them. */
export async function attachAll(ctx: RequestContext, suspension: SuspensionRow): Promise<string | null> {
  if (suspension.domains.length === 0) return null
  const cloudflare = connected(ctx)
  const project = suspension.project ?? ''
  if (!(await cloudflare.findProject(project))) return `Project ${project} not found at Cloudflare: no domains attached`
  const others = await findDomainsOfOthers(ctx.db, suspension.site_id, suspension.domains)
  const wanted = suspension.domains.filter((name) => !others.has(name))
  const attached = await namesAt(cloudflare, project)
  for (const name of wanted.filter((one) => !attached.includes(one))) await cloudflare.attachDomain(project, name)
  const now = await namesAt(cloudflare, project)
  const missing = wanted.filter((name) => !now.includes(name))
  if (missing.length > 0)
    throw new AppError('provider_bad_answer', `Cloudflare does not have ${missing.join(', ')} yet`)
  return others.size === 0 ? null : `Skipped, now used by another site: ${[...others].join(', ')}`
}
