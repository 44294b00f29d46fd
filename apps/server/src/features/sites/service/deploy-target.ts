import type { SiteDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { findRow, type SiteRow } from '../queries/sites.ts'
import { providerSettingsOf } from './shown.ts'

export type DeployProviderSettings =
  | { kind: 'pages'; project: string; branch: string | null }
  | { kind: 'hook'; url: string; secret: string | null; callback: boolean }

export type DeployTarget = {
  site: Pick<SiteRow, 'id' | 'site_name' | 'domain' | 'deployment_url' | 'customer_id' | 'customer_name'> &
    Pick<SiteDetails, 'status' | 'at_provider'>
  /** null: nobody chose one yet. */
  provider: DeployProviderSettings | null
}

async function hookOf(ctx: Pick<RequestContext, 'instance'>, site: SiteRow): Promise<DeployProviderSettings | null> {
  if (site.hook_url_sealed === null) return null
  const box = await ctx.instance(createSecretBox)
  const url = box.open(site.hook_url_sealed)
  const secret = site.hook_secret_sealed === null ? null : box.open(site.hook_secret_sealed)
  if (url === null || (secret === null && site.hook_secret_sealed !== null))
    throw new AppError(
      'conflict',
      'The deploy hook was encrypted with another SECRETS_KEY. Restore that key, or enter the hook again.',
    )
  return { kind: 'hook', url, secret, callback: providerSettingsOf(site).callback ?? false }
}

async function providerOf(
  ctx: Pick<RequestContext, 'instance'>,
  site: SiteRow,
): Promise<DeployProviderSettings | null> {
  if (site.provider === 'hook') return hookOf(ctx, site)
  const { project, branch } = providerSettingsOf(site)
  return site.provider === 'pages' && project !== undefined ? { kind: 'pages', project, branch: branch ?? null } : null
}

/** Where a site is deployed to, with its secrets opened: not to be kept, told or logged. */
export async function deployTargetOf(
  ctx: Pick<RequestContext, 'db' | 'instance'>,
  siteId: string,
): Promise<DeployTarget | undefined> {
  const site = await findRow(ctx.db, siteId)
  if (!site) return undefined
  const { id, site_name, domain, deployment_url, customer_id, customer_name } = site
  return {
    site: {
      ...{ id, site_name, domain, deployment_url, customer_id, customer_name },
      status: site.status as SiteDetails['status'],
      at_provider: site.at_provider as SiteDetails['at_provider'],
    },
    provider: await providerOf(ctx, site),
  }
}
