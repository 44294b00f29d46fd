import { z } from 'zod'
import { listPayments, stats } from './billing.ts'
import { listCustomers } from './customers.ts'
import { listDeployments } from './deployments.ts'
import { domain } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { performance, systemHealth } from './health.ts'
import { count, currency, instant, listOf, money, section, trend } from './primitives.ts'

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

/** A figure of each day; null where it is not known. The whole is null for whoever may not see it. */
const series = z.array(z.number().nullable()).nullable()

/** The last 30 days in UTC, today included, for the figures of the cards. */
export const dashboardHistory = z.object({
  days: z.array(z.iso.date()),
  /** Sites at the end of each day. */
  sites: series,
  /** Subscriptions that ran at the end of each day. */
  subscriptions: series,
  /** Net revenue of each day, in the minor unit of the currency. */
  revenue: series,
  currency,
  /** For how much of each day the services of the console were up, in percent. */
  uptime: series,
  /** Customers that came on each day. */
  new_customers: series,
})
export type DashboardHistory = z.output<typeof dashboardHistory>

export const getDashboardHistory = endpoint({
  method: 'GET',
  path: '/dashboard/history',
  permission: 'any',
  summary: 'The figures of the dashboard’s cards day by day, as far as whoever asks may see them',
  response: z.object({ history: dashboardHistory }),
  topics: ['customers', 'subscriptions', 'payments', 'sites'],
  isPersonal: true,
})

/** Where what needs somebody comes from; each answers or fails by itself and needs its own permission. */
export const needKinds = [
  'incident',
  'past_due',
  'failed_payment',
  'domain',
  'certificate',
  'deployment',
  'purchase',
  'drift',
] as const
export const needKind = z.enum(needKinds)
export type NeedKind = z.output<typeof needKind>

export const need = z.object({
  kind: needKind,
  id: z.string(),
  /** By name: an incident, a customer, a site, a domain, or what was bought. */
  title: z.string(),
  detail: z.string().nullable(),
  /** Since when, or for what ends: when. */
  at: instant,
  /** What depends on it, by currency. null for whoever may not see money; empty where nothing does. */
  money: z.array(money).nullable(),
  /** The screen where it is dealt with, a path of the console. */
  link: z.string(),
})
export type Need = z.output<typeof need>

export const getNeeds = endpoint({
  method: 'GET',
  path: '/dashboard/needs',
  permission: 'any',
  summary: 'What needs somebody now, the most money first; only of what whoever asks may see',
  response: z.object({
    needs: z.array(need),
    sources: z.array(
      z.discriminatedUnion('ok', [
        z.object({ kind: needKind, ok: z.literal(true), total: count }),
        z.object({ kind: needKind, ok: z.literal(false), code: z.string(), error: z.string() }),
      ]),
    ),
    as_of: instant,
  }),
  topics: [
    ...(['incidents', 'alerts', 'subscriptions', 'invoices', 'payments', 'customers'] as const),
    ...(['sites', 'deployments', 'purchases', 'money_drift'] as const),
  ],
  isPersonal: true,
})
