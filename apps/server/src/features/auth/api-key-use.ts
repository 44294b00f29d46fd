import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Request } from '../../platform/http/routes.ts'
import { noteApiKeyUse } from './queries/holders.ts'

type Use = { count: number; at: number; address: string; endpoint: string }
type Window = { startedAt: number; calls: number }

const minuteMs = 60_000
const writeEveryMs = 2000

/** Counts the calls of each API key in this process: against its rate limit, and for when it was last used. */
export function createApiKeyUse(ctx: AppContext) {
  const windows = new Map<string, Window>()
  const unwritten = new Map<string, Use>()
  let isPlanned = false

  function within(id: string, limit: number): void {
    const now = ctx.clock()
    const known = windows.get(id)
    const window = known && now - known.startedAt < minuteMs ? known : { startedAt: now, calls: 0 }
    windows.set(id, window)
    if (++window.calls <= limit) return
    const retryAfter = Math.max(1, Math.ceil((window.startedAt + minuteMs - now) / 1000))
    throw new AppError('too_many_requests', `This API key may call ${limit.toLocaleString('en-US')} times a minute`, {
      retryAfter,
    })
  }

  async function write(): Promise<void> {
    isPlanned = false
    for (const [id, { startedAt }] of windows) if (ctx.clock() - startedAt >= minuteMs) windows.delete(id)
    const uses = [...unwritten]
    unwritten.clear()
    for (const [id, { at, ...use }] of uses) {
      await noteApiKeyUse(ctx, { id, ...use, at: new Date(at) }).catch((error: unknown) =>
        ctx.log.warn({ err: error, key: id }, 'could not note the use of an API key'),
      )
    }
  }

  return {
    /** Throws `too_many_requests` beyond the limit. */
    count(id: string, limit: number, request: Request): void {
      within(id, limit)
      const { method, routeOptions } = request
      const endpoint = `${method} ${routeOptions.url ?? ''}`.slice(0, 200)
      const count = (unwritten.get(id)?.count ?? 0) + 1
      unwritten.set(id, { count, at: ctx.clock(), address: request.ip, endpoint })
      if (isPlanned) return
      isPlanned = true
      setTimeout(write, writeEveryMs).unref()
    },
    write,
  }
}
