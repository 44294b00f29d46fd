import { type DashboardSection, dashboardSections } from '@agency/contract/dashboard'
import type { Permission } from '@agency/contract/permissions'
import type { RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { RawJson, rawJson } from '../../platform/http/routes.ts'
import { getStats, listPayments } from '../billing/index.ts'
import { listCustomers } from '../customers/index.ts'
import { getHealth } from '../health/index.ts'

type Section = {
  permission: Permission | null
  load: (ctx: RequestContext) => unknown
}

const shown = 5

const cloudflare = { connected: false, reason: 'Cloudflare is not connected' } as const
const unbuilt = (what: string) => ({ connected: false, reason: `${what} are not part of this console yet` }) as const

const sections: Record<DashboardSection, Section> = {
  stats: { permission: 'billing.read', load: getStats },
  customers: { permission: 'customers.read', load: (ctx) => listCustomers(ctx, { limit: shown }) },
  payments: { permission: 'billing.read', load: (ctx) => listPayments(ctx, { limit: shown }) },
  health: { permission: null, load: getHealth },
  domains: { permission: 'sites.read', load: () => cloudflare },
  sites: { permission: 'sites.read', load: () => unbuilt('Sites') },
  deployments: { permission: 'sites.read', load: () => unbuilt('Deployments') },
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
