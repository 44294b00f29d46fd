import type * as sites from '@agency/contract/descriptors/sites'
import type { SiteDetails } from '@agency/contract/types'
import type { Input } from '../../../lib/api.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'

export type Owner = { id: string; name: string | null; email: string | null }

/** As they are typed: everything is text, and empty is none. */
export type SiteFields = {
  version: number
  site_name: string
  domain: string
  subdomain: string
  deployment_url: string
  template_type: string
  owner: Owner | null
}

export const requiredText = 'Please fill in required fields'

export const emptyFields: SiteFields = {
  version: 0,
  site_name: '',
  domain: '',
  subdomain: '',
  deployment_url: '',
  template_type: '',
  owner: null,
}

export function fieldsOf(site: SiteDetails): SiteFields {
  return {
    version: site.version,
    site_name: site.site_name,
    domain: site.domain,
    subdomain: site.subdomain ?? '',
    deployment_url: site.deployment_url ?? '',
    template_type: site.template_type ?? '',
    owner: site.owner ?? (site.customer_id ? { id: site.customer_id, name: site.customer_name, email: null } : null),
  }
}

const optional = (text: string): string | null => text.trim() || null

export function bodyOf(fields: SiteFields): NonNullable<Input<typeof sites.createSite>['body']> {
  return {
    site_name: fields.site_name.trim(),
    domain: fields.domain.trim(),
    subdomain: optional(fields.subdomain),
    customer_id: fields.owner?.id ?? null,
    deployment_url: optional(fields.deployment_url),
    template_type: optional(fields.template_type),
  }
}

function siteProblems({ site_name, domain }: SiteFields): Problems<SiteFields> {
  return {
    site_name: site_name.trim() === '' ? requiredText : undefined,
    domain: domain.trim() === '' ? requiredText : undefined,
  }
}

/** What every form of a site has in common. */
export const siteForm = { problemsOf: siteProblems, fields: { customer_id: 'owner' } } as const
