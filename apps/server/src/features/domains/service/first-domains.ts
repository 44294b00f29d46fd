import type { Domain } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { toDomain } from '../domain.ts'
import { countDomains, findDomains } from '../queries/domains.ts'
import { findListState } from '../queries/list-state.ts'
import { cacheState, firstTime, refreshSoon } from './list-domains.ts'

type FirstDomains =
  | { connected: false; reason: string }
  | {
      connected: true
      totalDomains: number
      activeDomains: number
      pausedDomains: number
      domains: Domain[]
      fetched_at: string
      stale: boolean
    }

/** For a screen that shows more than domains: nothing of it waits for Cloudflare. */
export async function findFirstDomains(ctx: RequestContext, limit: number): Promise<FirstDomains> {
  const { cloudflare, pool, config } = ctx
  if (!cloudflare) return { connected: false, reason: 'Cloudflare is not connected' }
  const state = await findListState(ctx, cloudflare.connection)
  const cached = cacheState(state, ctx.clock())
  if (cached === null || cached.stale) await refreshSoon(ctx, state)
  if (!cached) throw state.failure === null ? firstTime() : new AppError('provider_unavailable', state.failure)
  const [page, totals] = await Promise.all([
    findDomains(pool, cloudflare.connection, { limit }),
    countDomains(pool, cloudflare.connection),
  ])
  return {
    connected: true,
    totalDomains: totals.total,
    activeDomains: totals.active,
    pausedDomains: totals.paused,
    domains: page.domains.map((row) => toDomain(row, config.mode)),
    fetched_at: cached.fetched_at,
    stale: cached.stale,
  }
}
