import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, listOf, money, pageQuery, searchText } from './primitives.ts'

/**
 * `unpaid`: live, and nobody pays. `undelivered`: paid, but down, suspended or never deployed. `ended`: cancelled or refunded,
 * and still served. `zone`: a zone without a site. `domain`: expires under an active subscription.
 */
export const driftClasses = ['unpaid', 'undelivered', 'ended', 'zone', 'domain'] as const
export const driftClass = z.enum(driftClasses)
export type DriftClass = z.output<typeof driftClass>

export const driftVariants = [
  'no_customer',
  'never_paid',
  'dunning_over',
  'trial_over',
  'down',
  'never_deployed',
  'suspended',
  'no_site',
  'cancelled',
  'refunded',
  'still_served',
  'never_had_site',
  'site_deleted',
  'expiring',
  'expired',
] as const
export type DriftVariant = (typeof driftVariants)[number]

/** What the console itself can do about it; the first is the one that is recommended. */
export const driftRepairs = [
  'assign_customer',
  'suspend_site',
  'resume_site',
  'deploy_site',
  'delete_site',
  'add_site',
  'open_site',
  'open_zone',
  'open_subscription',
  'reset_purchase',
] as const
export const driftRepair = z.object({
  kind: z.enum(driftRepairs),
  /** Of what is opened; the name of the domain for a site that is added. */
  target: z.string(),
})
export type DriftRepair = z.output<typeof driftRepair>

export const driftEvidence = z.object({
  source: z.enum(['stripe', 'check', 'console', 'cloudflare', 'registry']),
  text: z.string(),
  /** When it happened; null where that is not known. */
  at: instant.nullable(),
  /** When it was last seen so. */
  seen_at: instant,
})
export type DriftEvidence = z.output<typeof driftEvidence>

const named = z.object({ id: z.string(), name: z.string() })

export const moneyDrift = z.object({
  id: z.string(),
  class: driftClass,
  variant: z.enum(driftVariants),
  /** The site, the domain, or what was bought. */
  subject: z.string(),
  domain: z.string().nullable(),
  site_id: z.string().nullable(),
  customer: named.nullable(),
  subscription_id: z.string().nullable(),
  since: instant,
  /** A month, by currency: what is paid, or was before. Empty where nothing is known; null for whoever may not see money. */
  money: z.array(money).nullable(),
  evidence: z.array(driftEvidence),
  repairs: z.array(driftRepair),
  dismissal: z.object({ reason: z.string(), until: instant, at: instant, by: z.string() }).nullable(),
})
export type MoneyDrift = z.output<typeof moneyDrift>

const topics = ['money_drift'] as const

export const listMoneyDrift = endpoint({
  method: 'GET',
  path: '/money-drift',
  permission: 'sites.read',
  summary: 'Where money and reality do not agree, the most money first',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    class: listOf(driftClass).optional(),
    status: z.enum(['open', 'dismissed', 'all']).default('open'),
    sort: z.enum(['-money', 'money', '-since', 'since']).default('-money'),
  }),
  response: z.object({
    drift: z.array(moneyDrift),
    has_more: z.boolean(),
    total: count,
    counts: z.object({
      open: count,
      dismissed: count,
      unpaid: count,
      undelivered: count,
      ended: count,
      zone: count,
      domain: count,
    }),
    /** A month, by currency, each customer once; null for whoever may not see money. */
    money: z.array(money).nullable(),
    /** When all of it was last compared; null: not yet. */
    compared_at: instant.nullable(),
    /** Why the last look failed; the rows are those of the one before. */
    problem: z.string().nullable(),
    /** What could not be judged, and why. */
    unjudged: z.array(z.object({ class: driftClass, reason: z.string() })),
  }),
  topics,
  isPersonal: true,
})

export const getMoneyDrift = endpoint({
  method: 'GET',
  path: '/money-drift/:id',
  permission: 'sites.read',
  summary: 'One row with what was seen where',
  params: idParams,
  response: z.object({ drift: moneyDrift }),
  topics,
  isPersonal: true,
})

export const dismissMoneyDrift = endpoint({
  method: 'POST',
  path: '/money-drift/:id/dismiss',
  permission: 'sites.write',
  summary: 'Dismiss a row for a while, with a reason; it reappears when the facts change',
  params: idParams,
  body: z.strictObject({ reason: z.string().trim().min(1).max(500), until: instant }),
  response: z.object({ drift: moneyDrift }),
  idempotent: true,
})

export const restoreMoneyDrift = endpoint({
  method: 'POST',
  path: '/money-drift/:id/restore',
  permission: 'sites.write',
  summary: 'Take a dismissal back; of a row that is not dismissed nothing is changed',
  params: idParams,
  response: z.object({ drift: moneyDrift }),
})
