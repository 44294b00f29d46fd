import type { BodyOf } from '@agency/contract/endpoint'
import { type createSite, requiredFieldsText } from '@agency/contract/sites'
import type { TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Doors } from '../../../platform/probe/target.ts'
import { findOwner } from '../queries/owners.ts'
import { findRowByDomain } from '../queries/sites.ts'
import { deploymentUrl, isPublicUrl } from '../rules/deployment-url.ts'
import { hostName, subdomainName } from '../rules/host-name.ts'

export type SiteFields = BodyOf<typeof createSite>

const refuse = (parameter: keyof SiteFields, message: string): AppError =>
  new AppError('invalid_request', message, { parameter })

function checkedDomain(text: string): string {
  const domain = hostName(text)
  if (domain === null)
    throw refuse('domain', 'A domain is a host name such as example.com, without https:// and without a path')
  return domain
}

function checkedSubdomain(text: string | null): string | null {
  const name = text === null ? null : subdomainName(text)
  if (text !== null && name === null) throw refuse('subdomain', 'Enter only the part before the domain, such as shop')
  return name
}

function checkedUrl(text: string | null, doors: Doors): string | null {
  const url = text === null ? null : deploymentUrl(text)
  if (text !== null && url === null)
    throw refuse('deployment_url', 'A deployment URL begins with http:// or https:// and has no user name')
  if (url !== null && !isPublicUrl(url, doors))
    throw refuse('deployment_url', 'A deployment URL leads to the public internet, on port 80 or 443')
  return url
}

/** The fields that are there, in the shape that they are kept in; throws what is wrong with the first that is not. */
export function checkedFields(fields: Partial<SiteFields>, doors: Doors): Partial<SiteFields> {
  if (fields.site_name === '' || fields.domain === '')
    throw refuse(fields.site_name === '' ? 'site_name' : 'domain', requiredFieldsText)
  return {
    ...fields,
    ...(fields.domain !== undefined && { domain: checkedDomain(fields.domain) }),
    ...(fields.subdomain !== undefined && { subdomain: checkedSubdomain(fields.subdomain) }),
    ...(fields.deployment_url !== undefined && { deployment_url: checkedUrl(fields.deployment_url, doors) }),
  }
}

/** Throws when another site has the domain, or nobody is the customer. */
export async function checkRelations(
  tx: TransactionContext,
  { domain, customer_id }: Partial<SiteFields>,
): Promise<void> {
  const other = domain === undefined ? undefined : await findRowByDomain(tx.db, [domain])
  if (other)
    throw new AppError('conflict', `${other.site_name} already has the domain ${other.domain}. Nothing was changed.`, {
      parameter: 'domain',
    })
  if (customer_id && !(await findOwner(tx.db, customer_id)))
    throw refuse('customer_id', 'Unknown customer. Choose another one.')
}
