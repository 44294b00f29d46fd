import { inTransaction, type RequestContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { createCaches } from '../../../platform/caches.ts'
import { AppError } from '../../../platform/errors.ts'
import { claimRefresh, noteFailure } from '../queries/list-state.ts'
import { replaceZones } from '../queries/zones.ts'

/** Longer than the pages of a list take, each of which has ten seconds. */
const leaseMs = 120_000

const messageOf = (error: unknown): string =>
  error instanceof AppError && error.code !== 'internal' ? error.message : 'The list of domains could not be kept'

/**
 * Reads all zones and keeps them. false: somebody else is at it. A failure is written down for whoever sees the rows of
 * before, and thrown.
 */
export async function refreshList(ctx: RequestContext, gateway: CloudflareGateway): Promise<boolean> {
  const { connection } = gateway
  if (!(await claimRefresh(ctx, connection, leaseMs))) return false
  try {
    const began = performance.now()
    const zones = await gateway.listZones()
    await inTransaction(ctx, (tx) => replaceZones(tx, connection, zones))
    const counts = ctx.instance(createCaches).countsOf('domains')
    counts.loads++
    counts.loadMs += performance.now() - began
    return true
  } catch (error) {
    await noteFailure(ctx, connection, messageOf(error))
    throw error
  }
}
