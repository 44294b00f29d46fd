import type { AppContext } from '../../context.ts'
import { type Reply, streamed } from '../../platform/http/routes.ts'
import { readSnapshot } from './queries.ts'

/** What is older is not how it is now. */
const newestWithinMs = 5 * 60_000

export async function sendMetrics(ctx: AppContext, reply: Reply): Promise<typeof streamed> {
  const snapshot = await readSnapshot(ctx, new Date(ctx.clock() - newestWithinMs))
  // Most consoles are not scraped; what makes the text is loaded for those that are.
  const { buildRegistry } = await import('./figures.ts')
  const registry = buildRegistry(ctx, snapshot, ctx.config.version)
  reply.header('content-type', registry.contentType).header('cache-control', 'no-store')
  reply.send(await registry.metrics())
  return streamed
}
