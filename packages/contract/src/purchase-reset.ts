import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  count,
  currency,
  idParams,
  instant,
  minorUnits,
  mirroredAsOf,
  money,
  pageQuery,
  searchText,
} from './primitives.ts'
import { purchaseStatus } from './purchases.ts'

/** How long a reset can be undone. */
export const undoDays = 30
/** How many sites one bulk reset takes. */
export const maxBulkSites = 500
export const maxReasonLength = 1000

export const purchaseMode = z.enum(['live', 'test'])
export type PurchaseMode = z.output<typeof purchaseMode>

/** A purchase as the shop recorded it. */
export const purchaseData = z.object({
  timestamp: instant,
  customerEmail: z.string().nullable(),
  customerName: z.string().nullable(),
  businessName: z.string().nullable(),
  /** null while the provider has not said it. */
  amount: minorUnits.nullable(),
  currency,
  selectedDomains: z.array(z.string()),
  hostingYears: z.int().nullable(),
  stripeSessionId: z.string(),
})
export type PurchaseData = z.output<typeof purchaseData>

export const purchasedSite = z.object({
  /** The purchase's id. A site that was bought twice is listed twice. */
  id: z.string(),
  siteId: z.string(),
  siteName: z.string(),
  /** An http or https address, or null. */
  productionUrl: z.string().nullable(),
  status: purchaseStatus,
  mode: purchaseMode,
  /** null when the provider did not say it. */
  refundedAmount: minorUnits.nullable(),
  /** Why its status cannot be reset now, or null. */
  refusal: z.string().nullable(),
  data: purchaseData,
})
export type PurchasedSite = z.output<typeof purchasedSite>

/** Who reset or undid. */
export const resetAdmin = z.object({ type: z.string(), id: z.string(), name: z.string() })

/** An entry of the reset history. An undo is an entry of its own, with what the reset kept. */
export const purchaseReset = z.object({
  id: z.string(),
  kind: z.enum(['reset', 'undo']),
  /** The reset that an undo takes back. */
  resetId: z.string().nullable(),
  purchaseId: z.string(),
  timestamp: instant,
  siteId: z.string(),
  siteName: z.string(),
  adminInfo: resetAdmin,
  resetReason: z.string(),
  originalPurchaseData: purchaseData,
  isUndone: z.boolean(),
  /** Until when it can be undone; null for an undo. */
  undoableUntil: instant.nullable(),
  /** Why it cannot be undone now, or null. */
  undoRefusal: z.string().nullable(),
})
export type PurchaseReset = z.output<typeof purchaseReset>

export const refusedSite = z.object({ purchaseId: z.string(), siteName: z.string().nullable(), reason: z.string() })
export type RefusedSite = z.output<typeof refusedSite>

const reason = z.string().trim().max(maxReasonLength).optional()
const purchaseIds = z
  .array(z.string().min(1).max(255))
  .min(1, 'Please select at least one site to reset.')
  .max(maxBulkSites)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a purchase twice')
const siteTopics = ['purchases', 'payments', 'subscriptions', 'customers', 'money_actions', 'mirror'] as const

export const listPurchasedSites = endpoint({
  method: 'GET',
  path: '/v1/admin/purchased-sites',
  permission: 'billing.read',
  summary: 'Purchased sites whose status is not reset, newest first',
  query: z.strictObject({ ...pageQuery(25), search: searchText.optional() }),
  response: z.object({ sites: z.array(purchasedSite), has_more: z.boolean(), total: count, as_of: mirroredAsOf }),
  topics: siteTopics,
})

export const listPurchaseResets = endpoint({
  method: 'GET',
  path: '/v1/admin/purchase-resets',
  permission: 'billing.read',
  summary: 'The history of resets and of what was undone, newest first',
  query: z.strictObject({ ...pageQuery(10), search: searchText.optional() }),
  response: z.object({ resets: z.array(purchaseReset), has_more: z.boolean(), total: count }),
  topics: siteTopics,
  isPersonal: true,
})

export const previewPurchaseReset = endpoint({
  method: 'POST',
  path: '/v1/admin/purchase-resets/preview',
  permission: 'billing.write',
  summary: 'What a reset would affect and what it would refuse; nothing is changed',
  body: z.strictObject({ purchaseIds }),
  response: z.object({
    sites: z.array(purchasedSite),
    refused: z.array(refusedSite),
    /** What was paid and not refunded for the sites that would be reset. It is not moved. */
    kept: z.array(money),
  }),
})

export const resetPurchase = endpoint({
  method: 'POST',
  path: '/v1/admin/purchases/:id/reset',
  permission: 'billing.write',
  summary: 'Reset the status of one purchased site; no money is moved',
  params: idParams,
  body: z.strictObject({ reason }).nullish(),
  response: z.object({ success: z.literal(true), reset: purchaseReset }),
  idempotent: true,
})

export const bulkResetPurchases = endpoint({
  method: 'POST',
  path: '/v1/admin/purchase-resets',
  permission: 'billing.write',
  summary: 'Reset the status of several purchased sites; each is done or refused by itself',
  body: z.strictObject({ purchaseIds, reason }),
  response: z.object({
    /** Whether any was reset. */
    success: z.boolean(),
    resets: z.array(purchaseReset),
    refused: z.array(refusedSite),
  }),
  idempotent: true,
})

export const undoPurchaseReset = endpoint({
  method: 'POST',
  path: '/v1/admin/purchase-resets/:id/undo',
  permission: 'billing.write',
  summary: 'Undo a reset within 30 days: the site is purchased again, as it was',
  params: idParams,
  body: z.strictObject({ reason }).nullish(),
  response: z.object({ success: z.literal(true), undo: purchaseReset }),
  idempotent: true,
})

export const getSiteConfig = endpoint({
  method: 'GET',
  path: '/site-config.json',
  permission: 'sites.read',
  summary: 'Name and address of every purchased site, by its id',
  response: z.object({
    siteConfigurations: z.record(z.string(), z.object({ siteName: z.string(), productionUrl: z.string().nullable() })),
  }),
  topics: ['purchases', 'payments', 'subscriptions', 'plans'],
  isAlsoAtRoot: true,
})
