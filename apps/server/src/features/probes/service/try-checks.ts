import type { CheckTrial } from '@agency/contract/checks'
import type { AppContext, RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { settingsOf } from '../check-settings.ts'
import { judge } from '../judge.ts'
import { lookAt } from '../look.ts'
import { findChecks } from '../queries/checks.ts'
import { seen } from '../record.ts'
import { type CheckChange, changed, refuseWrong } from './checks.ts'
import { shown } from './performance.ts'

const mostAtOnce = 4
const mostPerMinute = 20
const minuteMs = 60_000

/** A try asks a host of somebody else's: few at once, and not many of one person. */
function createTrialLimit({ clock }: Pick<AppContext, 'clock'>) {
  const begun = new Map<string, number[]>()
  let running = 0
  const refuse = (retryAfter: number) =>
    new AppError('too_many_requests', 'Too many tries. Wait a moment, then try again.', { retryAfter })
  return async <T>(actorId: string, work: () => Promise<T>): Promise<T> => {
    const now = clock()
    for (const [id, times] of begun) if (times.every((at) => now - at >= minuteMs)) begun.delete(id)
    const times = (begun.get(actorId) ?? []).filter((at) => now - at < minuteMs)
    if (running >= mostAtOnce) throw refuse(5)
    if (times.length >= mostPerMinute) throw refuse(Math.ceil((minuteMs - (now - (times[0] ?? now))) / 1000))
    begun.set(actorId, [...times, now])
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}

/** Checks once, and keeps nothing of it. */
export async function tryChecks(
  ctx: RequestContext,
  id: string,
  change: CheckChange,
  signal: AbortSignal,
): Promise<CheckTrial> {
  const site = await findChecks(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  const settings = changed(settingsOf(site.settings), change)
  refuseWrong(settings, site)
  const { run, finding, tries } = await ctx.instance(createTrialLimit)(ctx.actor.id, () =>
    lookAt({ ...site, settings }, ctx, ctx.clock, signal).catch((error: unknown) => {
      if (!(error instanceof ProbeError)) throw error
      throw new AppError('unavailable', 'The test was stopped')
    }),
  )
  const now = ctx.clock()
  const before = { health: 'unknown', failures: settings.of, recent: 2 ** settings.of - 1, status: 'active' } as const
  const { health, detail } = judge(run, finding, before, settings, now)
  return {
    ...{ health: finding.failure?.reason === 'network' ? 'unknown' : health, detail, tries },
    ...{ url: run.url, redirects: run.redirects, status_code: run.status_code, total_ms: run.total_ms },
    certificate: finding.certificate && shown(seen(finding.certificate, run.at), now),
  }
}

/** Who called may be gone before the site has answered. */
export function whileConnected(raw: {
  once(event: 'close', end: () => void): unknown
  writableEnded: boolean
}): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return gone.signal
}
