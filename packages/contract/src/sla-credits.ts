import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits } from './primitives.ts'

const thousandths = (value: number) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6

/** Percent of a month, to three decimals. */
const percentOfMonth = z.number().gt(0).lt(100).refine(thousandths, 'has three decimals at most')

export const creditTier = z.strictObject({
  /** From below this uptime of the month on. */
  below: percentOfMonth,
  /** Of the month's price. */
  credit_percent: z.int().min(1).max(100),
})
export type CreditTier = z.output<typeof creditTier>

/** What a plan promises for each calendar month in UTC, and what is credited where that is missed. */
export const uptimePromise = z
  .strictObject({
    percent: percentOfMonth,
    /** The lower the uptime, the more. */
    tiers: z.array(creditTier).min(1).max(10),
  })
  .refine(
    ({ percent, tiers }) => tiers.every(({ below }) => below <= percent),
    'tiers must not begin above the promise',
  )
  .refine(
    ({ tiers }) =>
      tiers.every((tier, index) => {
        const before = tiers[index - 1]
        return before === undefined || (tier.below < before.below && tier.credit_percent > before.credit_percent)
      }),
    'tiers must go down in uptime and up in credit',
  )
export type UptimePromise = z.output<typeof uptimePromise>

export const planPromise = z.object({
  plan_id: z.string(),
  plan_name: z.string(),
  promise: uptimePromise.nullable(),
  version: count,
  changed_at: instant.nullable(),
  changed_by: z.string().nullable(),
})
export type PlanPromise = z.output<typeof planPromise>

export const listUptimePromises = endpoint({
  method: 'GET',
  path: '/uptime-promises',
  permission: 'billing.read',
  summary: 'What each plan promises about uptime, and what it credits',
  response: z.object({ promises: z.array(planPromise) }),
  topics: ['plans'],
})

export const setUptimePromise = endpoint({
  method: 'PUT',
  path: '/uptime-promises/:id',
  permission: 'billing.write',
  summary: 'Promise an uptime with a plan, or nothing any more. What incidents before now are owed stays',
  params: idParams,
  body: z.strictObject({ version: count, promise: uptimePromise.nullable() }),
  response: z.object({ promise: planPromise }),
})

/** One subscription in one month. All of it is what the amount follows from. */
export const creditLine = z.object({
  subscription_id: z.string(),
  plan_name: z.string(),
  /** `2026-11` */
  month: z.string(),
  /** Of the affected sites the one with the lowest uptime in that month. */
  site: z.string(),
  incident_down_seconds: count,
  earlier_down_seconds: count,
  /** The month without maintenance and unknown time; what is left of a running one counts as up. */
  counted_seconds: count,
  uptime_percent: z.number(),
  promise_version: count,
  promised_percent: z.number(),
  /** What the month's uptime is worth, and what it was worth without this incident. */
  credit_percent: count,
  earlier_credit_percent: count,
  /** A month of the subscription, never more than its period costs. */
  price: minorUnits,
  /** For other incidents of that month. */
  given_before: minorUnits,
  amount: minorUnits,
})
export type CreditLine = z.output<typeof creditLine>

/** `none`: nothing is owed. `blocked`: it cannot be given as a balance credit. */
export const creditStates = ['none', 'proposed', 'blocked', 'in_progress', 'given'] as const

export const slaCredit = z.object({
  customer_id: z.string(),
  name: z.string().nullable(),
  state: z.enum(creditStates),
  /** Why nothing is owed, or why it cannot be given. */
  reason: z.string().nullable(),
  amount: minorUnits,
  currency: currency.nullable(),
  lines: z.array(creditLine),
  action_id: z.string().nullable(),
  given_at: instant.nullable(),
  given_by: z.string().nullable(),
})
export type SlaCredit = z.output<typeof slaCredit>

export const getSlaCredits = endpoint({
  method: 'GET',
  path: '/incidents/:id/credits',
  permission: 'billing.read',
  summary: 'What each affected customer is owed for an incident, with its evidence',
  params: idParams,
  response: z.object({
    credits: z.array(slaCredit),
    /** Only what is over is credited. */
    is_over: z.boolean(),
    /** `hours`: some looks are no longer kept, so the minutes are those of whole hours. */
    measured_by: z.enum(['looks', 'hours']),
  }),
  topics: ['incidents', 'alerts', 'subscriptions', 'plans', 'money_actions', 'customers'],
  isPersonal: true,
})

export const giveSlaCredit = endpoint({
  method: 'POST',
  path: '/incidents/:id/credits',
  permission: 'billing.write',
  summary: 'Credit a customer for an incident on their balance, once. Another amount than the one owed is refused',
  params: idParams,
  body: z.strictObject({
    customer_id: z.string().min(1).max(255),
    amount: minorUnits.positive(),
    currency,
  }),
  response: z.object({ credit: slaCredit }),
  idempotent: true,
})
