import type { SiteDetails } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { lockMirror } from '../../mirror/index.ts'
import { probeSoon } from '../../probes/index.ts'
import { insertStatusChange } from '../queries/history.ts'
import { insertRow, lockDomains, type SiteRow } from '../queries/sites.ts'
import { defaultUrl } from '../rules/deployment-url.ts'
import { changeSites } from './change-sites.ts'
import { checkedFields, checkRelations, type SiteFields } from './checked.ts'
import { getSite } from './get-site.ts'
import { newSiteId } from './ids.ts'

/** A site of these fields, with the first line of its history; whoever calls writes the audit entry. */
export async function insertSite(
  tx: TransactionContext,
  fields: SiteFields,
  more: { status?: 'pending' | 'active' | 'maintenance'; cause?: 'created' | 'imported' } & Partial<SiteRow> = {},
): Promise<SiteRow> {
  const { status = 'pending', cause = 'created', provider_settings, ...columns } = more
  const at = new Date(tx.clock())
  const site = await insertRow(tx.db, {
    ...{ id: newSiteId(), created_at: at, updated_at: at },
    ...fields,
    deployment_url: fields.deployment_url ?? defaultUrl(fields.domain),
    ...{ ...columns, status },
    ...(provider_settings !== undefined && { provider_settings: JSON.stringify(provider_settings) }),
  })
  const told = { to_status: status, cause, actor_type: tx.actor.type, actor_name: tx.actor.name }
  await insertStatusChange(tx.db, { site_id: site.id, at, ...told })
  return site
}

/** What of a site its audit entry tells. */
export const auditedOf = (site: SiteRow) => ({
  ...{ site_name: site.site_name, domain: site.domain, subdomain: site.subdomain, customer_id: site.customer_id },
  ...{ deployment_url: site.deployment_url, template_type: site.template_type, status: site.status },
})

export function createSite(ctx: RequestContext, body: SiteFields, claim: Claim | null): Promise<SiteDetails> {
  const fields = checkedFields(body, ctx) as SiteFields
  const id = newSiteId()
  return changeSites(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    await lockMirror(tx.db)
    await lockDomains(tx.db)
    await checkRelations(tx, fields)
    const site = await insertSite(tx, fields, { id })
    await probeSoon(tx, site.id)
    await recordAudit(tx, { action: 'site.create', resource: 'site', id: site.id, after: auditedOf(site) })
    return getSite(tx, site.id)
  })
}
