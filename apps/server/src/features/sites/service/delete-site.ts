import type { SiteReach } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { counted } from '../../../platform/counted.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { lockMirror } from '../../mirror/index.ts'
import { countDeployments, findRow, type SiteRow } from '../queries/sites.ts'
import { findOpenSuspension, patchSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { changeSites } from './change-sites.ts'
import { changeStatus } from './change-status.ts'
import { auditedOf } from './create-site.ts'
import { lockSite } from './find-site.ts'
import { whyNotDeleted } from './get-site.ts'
import { providerSettingsOf } from './shown.ts'

function atProvider(site: SiteRow, suspension: SuspensionRow | undefined): string {
  const { project } = providerSettingsOf(site)
  if (site.at_provider === 'offline')
    return `Domains stay detached at Cloudflare (${suspension?.domains.join(', ')}): the site stays offline`
  if (site.provider === 'pages') return `The Pages project ${project} stays at Cloudflare: the site stays live`
  if (site.provider === 'hook') return 'The site stays live at its host'
  return 'No changes at any host'
}

/** What deleting reaches: the site leaves the console, and whoever serves it is left alone. */
export async function previewDeletion({ db }: RequestContext, id: string): Promise<SiteReach> {
  const site = await findRow(db, id)
  if (!site) throw notFound(`Site ${id}`)
  const [suspension, deployments] = await Promise.all([findOpenSuspension(db, id), countDeployments(db, id)])
  return {
    site: { id, site_name: site.site_name, domain: site.domain },
    effects: [
      'Removes the site from lists, counts and checks',
      ...(deployments.all > 0 ? [`${counted(deployments.all, 'deployment')} and their logs stay in the history`] : []),
      atProvider(site, suspension),
      `The domain ${site.domain} becomes free for another site`,
    ],
    warnings: site.customer_name === null ? [] : [`Belongs to ${site.customer_name}`],
    blocked: whyNotDeleted(suspension, deployments.open),
  }
}

/** Takes the site out of the console for good. */
export function deleteSite(ctx: RequestContext, id: string): Promise<{ success: true }> {
  return changeSites(ctx, async (tx) => {
    await lockMirror(tx.db)
    const site = await lockSite(tx, id)
    const suspension = await findOpenSuspension(tx.db, id)
    const blocked = whyNotDeleted(suspension, (await countDeployments(tx.db, id)).open)
    if (blocked !== null) throw new AppError('conflict', `${blocked} Nothing was changed.`)
    if (suspension)
      await patchSuspension(tx.db, suspension.id, {
        ...{ state: 'lifted', lifted_at: new Date(tx.clock()), lifted_by: tx.actor.name },
        note: 'The site was deleted',
      })
    await changeStatus(tx, site, { to: 'deleted', cause: 'deletion' })
    await recordAudit(tx, { action: 'site.delete', resource: 'site', id, before: auditedOf(site) })
    return { success: true }
  })
}
