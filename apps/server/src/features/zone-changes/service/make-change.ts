import type { RequestContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import type { Change } from '../queries/changes.ts'
import type { Deed } from '../ways/way.ts'
import { carryOut, doneOf } from './carry-out.ts'
import { begin, beginAgain } from './change-record.ts'
import { settleOpen } from './settle-open.ts'
import type { Zone } from './zone.ts'

/** Makes a change once, and answers it as it was made; why it was not made, or that nobody knows, is thrown. */
export async function makeChange(
  ctx: RequestContext,
  zone: Zone,
  deed: Deed,
  options: Parameters<typeof begin>[3],
): Promise<Change> {
  await settleOpen(ctx, zone.gateway, zone.id)
  return carryOut(ctx, zone.gateway, await begin(ctx, zone, deed, options), { isFirst: true })
}

/** What became of a change; one of which nobody knows is looked at, and sent again only if it did not happen. */
export async function makeAgain(
  ctx: RequestContext,
  changeId: string,
  gatewayOf: () => CloudflareGateway | Promise<CloudflareGateway>,
): Promise<Change> {
  const change = await beginAgain(ctx, changeId)
  if (change.state !== 'started') return doneOf(change)
  return carryOut(ctx, await gatewayOf(), change, { isFirst: false })
}
