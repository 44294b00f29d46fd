import { z } from 'zod'
import { paymentStatus, subscriptionStatus } from './billing.ts'
import { customerStatus } from './customers.ts'
import { deploymentStatus } from './deployments.ts'
import { endpoint } from './endpoint.ts'
import { currency, instant, minorUnits, searchText } from './primitives.ts'
import { purchaseStatus } from './purchases.ts'
import { healthStatus, siteStatus } from './site.ts'

/** Fewer characters find nearly everything. */
const shortestTerm = 3

const named = {
  id: z.string(),
  /** What it is called, else its id. */
  title: z.string(),
  /** What tells it from others of the same title. */
  detail: z.string().nullable(),
  /** Where the console shows it. */
  path: z.string(),
}
const priced = { amount: minorUnits, currency, created_at: instant }

export const hit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('customer'), ...named, status: customerStatus, deleted: z.boolean() }),
  z.object({ kind: z.literal('site'), ...named, status: siteStatus, health: healthStatus }),
  /** The status is Cloudflare's word. */
  z.object({ kind: z.literal('domain'), ...named, status: z.string().nullable(), paused: z.boolean() }),
  z.object({ kind: z.literal('deployment'), ...named, status: deploymentStatus, created_at: instant }),
  z.object({
    ...{ kind: z.literal('subscription'), ...named, ...priced },
    /** null when the provider did not say it. */
    amount: minorUnits.nullable(),
    status: subscriptionStatus,
  }),
  z.object({ kind: z.literal('payment'), ...named, ...priced, status: paymentStatus }),
  z.object({ kind: z.literal('invoice'), ...named, ...priced, status: z.string() }),
  z.object({
    ...{ kind: z.literal('purchase'), ...named, ...priced },
    /** null while the provider has not said it. */
    amount: minorUnits.nullable(),
    status: purchaseStatus,
  }),
  z.object({ kind: z.literal('user'), ...named, is_active: z.boolean() }),
])
export type Hit = z.output<typeof hit>
export type HitKind = Hit['kind']

export const searchAll = endpoint({
  method: 'GET',
  path: '/search',
  permission: 'any',
  summary:
    'Customers, sites, domains, deployments, subscriptions, payments, invoices, purchases and people by name, email, company, address, description, commit, number or id, at most five of each kind, those whose name begins with the term first; kinds that the caller may not read are left out',
  query: z.strictObject({
    q: searchText.refine((text) => [...text].length >= shortestTerm, `must have at least ${shortestTerm} characters`),
  }),
  response: z.object({
    /** The first hit is the very object whose id was given. */
    exact: z.boolean(),
    hits: z.array(hit),
  }),
})
