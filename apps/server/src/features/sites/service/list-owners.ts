import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { listSiteOwners } from '@agency/contract/sites'
import type { RequestContext } from '../../../context.ts'
import { findOwners } from '../queries/owners.ts'

export async function listOwners(
  { pool }: RequestContext,
  { search, limit }: QueryOf<typeof listSiteOwners>,
): Promise<ResponseOf<typeof listSiteOwners>> {
  const owners = await findOwners(pool, search, limit + 1)
  return { owners: owners.slice(0, limit), has_more: owners.length > limit }
}
