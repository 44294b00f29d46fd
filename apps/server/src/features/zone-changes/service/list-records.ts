import type { dnsRecords } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { AppContext } from '../../../context.ts'
import { findNewest } from '../queries/changes.ts'
import { toRecord } from '../record.ts'
import { toChange } from './undo-rules.ts'
import { getZone, namesRight } from './zone.ts'

const perPage = 100
type Where = Pick<AppContext, 'db' | 'clock' | 'cloudflare'>

/** As they are now: what somebody reads before changing DNS must not be old. */
export async function listRecords(
  ctx: Where,
  id: string,
  page: number,
): Promise<ResponseOf<typeof dnsRecords.listDomainRecords>> {
  const zone = await getZone(ctx, id)
  const [{ records, total }, newest] = await Promise.all([
    zone.gateway.listRecords(zone.id, page).catch(namesRight('DNS:Read')),
    findNewest(ctx.db, zone.id),
  ])
  return {
    records: records.map(toRecord),
    has_more: total === null ? records.length === perPage : page * perPage < total,
    total,
    fetched_at: new Date(ctx.clock()).toISOString(),
    last_change: newest?.state === 'done' ? toChange(newest, ctx.clock()) : null,
  }
}
