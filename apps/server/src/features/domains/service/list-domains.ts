import type { domains } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { windowSeconds } from '../../../platform/allowance.ts'
import { createCaches } from '../../../platform/caches.ts'
import { AppError } from '../../../platform/errors.ts'
import { dashboardUrl, toDomain } from '../domain.ts'
import { refreshJob } from '../jobs.ts'
import { findAllowance } from '../queries/allowance.ts'
import { countDomains, type DomainsQuery, findDomains } from '../queries/domains.ts'
import { findListState, type ListState } from '../queries/list-state.ts'
import { getGateway } from './connection.ts'
import { refreshList } from './refresh.ts'

const lifetimeMs = 10 * 60_000
/** After a failure nobody asks again for a while, whoever looks. */
const pauseMs = 60_000

export type CacheState = ResponseOf<typeof domains.refreshDomains>

export function cacheState(
  { fetched_at, failed_at, failure, refreshing }: ListState,
  nowMs: number,
): CacheState | null {
  if (fetched_at === null) return null
  const hasFailed = failed_at !== null && Date.parse(failed_at) > Date.parse(fetched_at)
  return {
    fetched_at,
    stale: hasFailed || nowMs - Date.parse(fetched_at) > lifetimeMs,
    refreshing,
    problem: hasFailed ? { message: failure ?? '', at: failed_at } : null,
  }
}

const isPausing = ({ failed_at }: ListState, nowMs: number): boolean =>
  failed_at !== null && nowMs - Date.parse(failed_at) < pauseMs

/** Behind an answer, unless somebody is at it or it has just failed. */
export async function refreshSoon(ctx: RequestContext, state: ListState): Promise<void> {
  if (!state.refreshing && !isPausing(state, ctx.clock())) await ctx.jobs.enqueue(ctx, refreshJob, {})
}

/** The age of what is known; with nothing known it is read now. */
async function freshEnough(ctx: RequestContext, gateway: CloudflareGateway): Promise<CacheState> {
  const { connection } = gateway
  const state = await findListState(ctx, connection)
  const cached = cacheState(state, ctx.clock())
  const counts = ctx.instance(createCaches).countsOf('domains')
  if (cached && !cached.stale) counts.hits++
  else counts.misses++
  if (cached?.stale) await refreshSoon(ctx, state)
  if (cached) return cached
  if (isPausing(state, ctx.clock())) throw new AppError('provider_unavailable', state.failure ?? '')
  await refreshList(ctx, gateway)
  const now = cacheState(await findListState(ctx, connection), ctx.clock())
  if (!now) throw firstTime()
  return now
}

export const firstTime = (): AppError =>
  new AppError('unavailable', 'Loading domains from Cloudflare for the first time: try again soon')

export async function listDomains(
  ctx: RequestContext,
  query: DomainsQuery,
): Promise<ResponseOf<typeof domains.listDomains>> {
  const gateway = getGateway(ctx)
  const { connection } = gateway
  const state = await freshEnough(ctx, gateway)
  const [page, totals, allowance] = await Promise.all([
    findDomains(ctx.pool, connection, query),
    countDomains(ctx.pool, connection),
    findAllowance(ctx, connection),
  ])
  return {
    totalDomains: totals.total,
    activeDomains: totals.active,
    pausedDomains: totals.paused,
    domains: page.domains.map((row) => toDomain(row, ctx.config.mode)),
    has_more: page.has_more,
    total: page.total,
    ...state,
    quota: { window_seconds: windowSeconds, ...allowance },
    dashboard_url: dashboardUrl(page.domains[0]?.account?.id ?? ctx.config.cloudflare.accountId),
  }
}
