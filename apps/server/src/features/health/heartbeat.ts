import type { AppContext } from '../../context.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'

const withinMs = 10_000

/**
 * Calls HEARTBEAT_URL, if one is set. It is called by a job, so it stops when the process, the database or the job queue
 * does: whoever waits for it notices each of them.
 */
export async function sendHeartbeat(ctx: Pick<AppContext, 'config' | 'demoHosts'>, signal: AbortSignal): Promise<void> {
  const { heartbeatUrl } = ctx.config
  if (heartbeatUrl === undefined) return
  const answer = await safeRequest({ url: heartbeatUrl, timeoutMs: withinMs, requireTrust: true, signal }, ctx)
  if (answer.status >= 300) throw new Error(`HEARTBEAT_URL answered ${answer.status}`)
}
