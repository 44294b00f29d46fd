import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { Permission } from '@agency/contract/permissions'
import type { getRevenueRows } from '@agency/contract/reports-revenue'
import type { RequestContext } from '../../../context.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import { endOf, resolvePeriod } from '../period.ts'
import { findHome } from '../queries/headline.ts'
import { findRows } from '../queries/rows.ts'

/** The rows behind a figure belong to another screen, and need what that needs. */
export function needForRows(ctx: RequestContext, permission: Permission): void {
  if (ctx.actor.permissions.has(permission)) return
  throw new AppError('forbidden', `The rows behind this figure need the permission ${permission}`, { permission })
}

export async function getRows(
  ctx: RequestContext,
  query: QueryOf<typeof getRevenueRows>,
): Promise<ResponseOf<typeof getRevenueRows>> {
  needForRows(ctx, 'billing.read')
  const { figure, limit, offset, site = null } = query
  if (figure === 'site_revenue' && site === null) throw invalidParameter('site', 'must say which site')
  if (figure !== 'site_revenue' && site !== null) throw invalidParameter('site', 'is for site_revenue')
  const { bounds } = await resolvePeriod(ctx, query)
  const part = query.month === undefined ? bounds.current : bounds.months.find(({ name }) => name === query.month)
  if (!part) throw invalidParameter('month', 'must be a month of the range')
  const currency = query.currency ?? (await findHome(ctx.pool)).currency
  const { from, until } = part
  // What is deferred is asked for at a moment, everything else up to it.
  const end = figure.startsWith('deferred') ? until : endOf(part, bounds)
  const wanted = { from, until: end, currency, limit, offset, site }
  const { total, count, rows } = await findRows(ctx.pool, figure, wanted)
  return { figure, currency, from, until, total, count, rows, has_more: offset + rows.length < count }
}
