import type { search } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../context.ts'
import { findRows } from './queries/find-rows.ts'
import type { Kind } from './queries/rows.ts'
import { toHit } from './to-hit.ts'

/** What was found, by kind; the object whose very id was given comes first. Kinds that the caller may not read are not looked for. */
export async function searchAll(
  { pool, cloudflare, actor: { permissions } }: RequestContext,
  term: string,
): Promise<ResponseOf<typeof search.searchAll>> {
  const kinds: Kind[] = []
  if (permissions.has('customers.read')) kinds.push('customer')
  if (permissions.has('sites.read')) kinds.push('site', 'deployment')
  if (permissions.has('sites.read') && cloudflare) kinds.push('domain')
  if (permissions.has('billing.read')) kinds.push('subscription', 'payment', 'invoice', 'purchase')
  if (permissions.has('admin.users')) kinds.push('user')
  const { named, ...found } = await findRows(pool, kinds, term, { connection: cloudflare?.connection ?? '' })
  const others = [
    ...found.customers,
    ...found.sites,
    ...found.domains,
    ...found.deployments,
    ...found.subscriptions,
    ...found.payments,
    ...found.invoices,
    ...found.purchases,
    ...found.users,
  ]
  const rows = named ? [named, ...others.filter(({ kind, id }) => kind !== named.kind || id !== named.id)] : others
  return { exact: named !== null, hits: rows.map(toHit) }
}
