import type { RequestContext } from '../../../context.ts'
import { refreshList } from './refresh.ts'
import { findZones } from './zones.ts'

/** Reads all zones now. Answers how many there are; null: Cloudflare is not connected. */
export async function readZones(ctx: RequestContext): Promise<number | null> {
  if (!ctx.cloudflare) return null
  await refreshList(ctx, ctx.cloudflare.in('bulk'))
  return (await findZones(ctx)).length
}
