import type { AppContext } from '../../context.ts'
import { findConnectionState } from '../domains/index.ts'
import type { Measured } from './parts.ts'
import { durationText } from './words.ts'

/** The domains are read every ten minutes: by then two times in a row have failed. */
const lastingMs = 25 * 60_000

/** Whether Cloudflare answers, when it last did, and how much may still be asked of it. Asks nothing itself. */
export async function measureCloudflare(ctx: AppContext): Promise<Measured> {
  const state = await findConnectionState(ctx)
  if (!state) return { status: 'unknown', detail: 'Cloudflare is not connected' }
  const { fetched_at, failed_at, failure, rest, graphql } = state
  const now = ctx.clock()
  const answeredAt = fetched_at === null ? null : Date.parse(fetched_at)
  const answered =
    answeredAt === null ? 'domains not loaded yet' : `domains updated ${durationText(now - answeredAt)} ago`
  const used = `${rest.used} of ${rest.limit} calls and ${graphql.used} of ${graphql.limit} queries in 5 minutes`
  const say = (status: Measured['status'], what: string): Measured => ({
    status,
    detail: [what, answered, used].filter(Boolean).join('; '),
  })
  const blockedUntil = rest.blocked_until ?? graphql.blocked_until
  if (blockedUntil !== null)
    return say('warning', `Rate limited for another ${durationText(Date.parse(blockedUntil) - now)}`)
  if (failed_at !== null && (answeredAt === null || Date.parse(failed_at) > answeredAt))
    return say(answeredAt === null || now - answeredAt > lastingMs ? 'error' : 'warning', failure ?? 'Failing')
  if (answeredAt === null) return say('unknown', 'Connected')
  return say('healthy', 'Connected')
}
