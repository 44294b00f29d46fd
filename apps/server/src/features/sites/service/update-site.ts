import type { BodyOf } from '@agency/contract/endpoint'
import type { updateSite as contract } from '@agency/contract/sites'
import type { SiteDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { lockMirror } from '../../mirror/index.ts'
import { probeSoon } from '../../probes/index.ts'
import { lockDomains, patchRow, type SiteRow } from '../queries/sites.ts'
import { defaultUrl } from '../rules/deployment-url.ts'
import { changeSites } from './change-sites.ts'
import { checkedFields, checkRelations, type SiteFields } from './checked.ts'
import { lockSite } from './find-site.ts'
import { getSite } from './get-site.ts'
import { checkVersion, nextVersion } from './version.ts'

/** What would be different; an address that is the default of the domain goes along with it. */
function changeOf(site: SiteRow, fields: Partial<SiteFields>): Partial<SiteFields> {
  const domain = fields.domain ?? site.domain
  const isDefault = site.deployment_url === defaultUrl(site.domain)
  const asked = fields.deployment_url === undefined && isDefault ? null : fields.deployment_url
  const wanted = { ...fields, ...(asked !== undefined && { deployment_url: asked ?? defaultUrl(domain) }) }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== undefined && value !== site[name as keyof SiteFields]),
  )
}

/** Changes what is given; what another person changed meanwhile is not written over. */
export function updateSite(ctx: RequestContext, id: string, body: BodyOf<typeof contract>): Promise<SiteDetails> {
  const { version, ...asked } = body
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const fields = checkedFields(given, ctx)
  return changeSites(ctx, async (tx) => {
    await lockMirror(tx.db)
    await lockDomains(tx.db)
    const site = await lockSite(tx, id)
    const change = changeOf(site, fields)
    const names = Object.keys(change)
    if (names.length === 0) return getSite(tx, id)
    await checkVersion(tx, site, version, names)
    await checkRelations(tx, change)
    await patchRow(tx.db, id, { ...change, ...(await nextVersion(tx, site, names)) })
    if (names.some((name) => name === 'domain' || name === 'deployment_url')) await probeSoon(tx, id)
    const before = Object.fromEntries(names.map((name) => [name, site[name as keyof SiteFields]]))
    await recordAudit(tx, { action: 'site.update', resource: 'site', id, before, after: change })
    return getSite(tx, id)
  })
}
