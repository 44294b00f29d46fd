import type { dnsRecords } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { AppContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { impactOf, type Known } from '../impact.ts'
import { findSitesBelow } from '../queries/sites.ts'
import { wholeName } from '../record.ts'
import { getZone, namesRight } from './zone.ts'

type Query = QueryOf<typeof dnsRecords.previewRecord>

/** By the records as Cloudflare has them now, and the sites that the console knows. */
export async function previewRecord(
  ctx: Pick<AppContext, 'db' | 'pool' | 'cloudflare'>,
  id: string,
  { record, type, name, content }: Query,
): Promise<ResponseOf<typeof dnsRecords.previewRecord>> {
  const zone = await getZone(ctx, id)
  const [records, sites] = await Promise.all([
    zone.gateway.listAllRecords(zone.id).catch(namesRight('DNS:Read')),
    findSitesBelow(ctx.pool, zone.name),
  ])
  const before = record === undefined ? null : (records.find((each) => each.id === record) ?? null)
  if (record !== undefined && before === null) throw notFound('This DNS record')
  const after: Known | null =
    type === undefined || !name ? null : { id: before?.id ?? 'new', type, name: wholeName(name, zone.name), content }
  return impactOf({ before, after }, zone.name, records, sites)
}
