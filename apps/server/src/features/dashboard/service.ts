import { type DashboardSection, dashboardSections } from '@agency/contract/dashboard'
import type { Permission } from '@agency/contract/permissions'
import type { RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { RawJson, rawJson } from '../../platform/http/routes.ts'
import { getStats, listPayments, trendOf } from '../billing/index.ts'
import { listCustomers } from '../customers/index.ts'
import { findDeployments } from '../deployments/index.ts'
import { findFirstDomains } from '../domains/index.ts'
import { getHealth } from '../health/index.ts'
import { findSiteTotals } from './queries/sites.ts'

type Section = {
  permission: Permission | null
  load: (ctx: RequestContext) => unknown
}

const shown = 5
const dayMs = 86_400_000
const sitesDefinition = 'Sites that are not deleted, now and 30 days ago.'

async function getSiteTotals({ pool, clock }: RequestContext) {
  const { total, active, before } = await findSiteTotals(pool, new Date(clock() - 30 * dayMs))
  return { total, active, trend: trendOf({ current: total, previous: before }, sitesDefinition) }
}

const sections: Record<DashboardSection, Section> = {
  stats: { permission: 'billing.read', load: getStats },
  customers: { permission: 'customers.read', load: (ctx) => listCustomers(ctx, { limit: shown }) },
  payments: { permission: 'billing.read', load: (ctx) => listPayments(ctx, { limit: shown }) },
  health: { permission: null, load: getHealth },
  domains: { permission: 'sites.read', load: (ctx) => findFirstDomains(ctx, shown) },
  sites: { permission: 'sites.read', load: getSiteTotals },
  deployments: {
    permission: 'sites.read',
    load: async (ctx) => rawJson(await findDeployments(ctx.pool, { limit: shown })),
  },
}

function toFailure(ctx: RequestContext, section: DashboardSection, error: unknown) {
  if (error instanceof AppError && error.code !== 'internal')
    return { ok: false, code: error.code, error: error.message } as const
  ctx.log.error({ err: error, requestId: ctx.requestId, section }, 'dashboard section failed')
  return { ok: false, code: 'internal', error: 'This section could not be loaded' } as const
}

async function load(ctx: RequestContext, name: DashboardSection): Promise<string> {
  const asOf = new Date(ctx.clock()).toISOString()
  const { permission, load: read } = sections[name]
  try {
    if (permission && !ctx.actor.permissions.has(permission))
      throw new AppError('forbidden', `This needs the permission ${permission}`, { permission })
    const data = await read(ctx)
    const text = data instanceof RawJson ? data.text : JSON.stringify(data)
    return `"${name}":{"ok":true,"data":${text},"as_of":"${asOf}"}`
  } catch (error) {
    return `"${name}":${JSON.stringify(toFailure(ctx, name, error))}`
  }
}

/** All sections in one answer; one that fails or may not be seen leaves the others alone. */
export async function getDashboard(ctx: RequestContext, wanted: DashboardSection[] | undefined): Promise<RawJson> {
  const names = wanted ? [...new Set(wanted)] : dashboardSections
  const loaded = await Promise.all(names.map((name) => load(ctx, name)))
  return rawJson(`{${loaded.join(',')}}`)
}
