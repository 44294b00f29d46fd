import { z } from 'zod'
import { listPayments, stats } from './billing.ts'
import { listCustomers } from './customers.ts'
import { listDeployments } from './deployments.ts'
import { domain } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { performance, systemHealth } from './health.ts'
import { count, instant, listOf, section, trend } from './primitives.ts'

export const dashboardSections = [
  'stats',
  'customers',
  'payments',
  'health',
  'domains',
  'sites',
  'deployments',
] as const
export const dashboardSection = z.enum(dashboardSections)
export type DashboardSection = z.output<typeof dashboardSection>

/** A part whose source is not connected yet says so instead of showing figures. */
export const notConnected = z.object({ connected: z.literal(false), reason: z.string() })

/** The first domains by name, with totals over all of them, from a cache. */
const domainsPart = z.object({
  connected: z.literal(true),
  totalDomains: count,
  activeDomains: count,
  pausedDomains: count,
  domains: z.array(domain),
  fetched_at: instant,
  /** Older than it should be. */
  stale: z.boolean(),
})

/** Of sites that are not deleted. */
const siteTotals = z.object({ total: count, active: count, trend })

export const getDashboard = endpoint({
  method: 'GET',
  path: '/dashboard',
  permission: 'any',
  summary: 'The dashboard in one call; each section answers or fails by itself and needs its own permission',
  query: z.strictObject({ sections: listOf(dashboardSection).optional() }),
  response: z.object({
    stats: section(stats).optional(),
    customers: section(listCustomers.response).optional(),
    payments: section(listPayments.response).optional(),
    health: section(z.object({ health: systemHealth, performance })).optional(),
    domains: section(z.discriminatedUnion('connected', [notConnected, domainsPart])).optional(),
    sites: section(siteTotals).optional(),
    deployments: section(listDeployments.response).optional(),
  }),
  topics: ['customers', 'subscriptions', 'payments', 'plans', 'health', 'sites', 'deployments', 'domains'],
})
