import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits, mirroredAsOf, pageQuery } from './primitives.ts'

export const purchaseStatuses = ['completed', 'pending', 'failed', 'refunded'] as const
export const purchaseStatus = z.enum(purchaseStatuses)
export type PurchaseStatus = z.output<typeof purchaseStatus>

export const purchase = z.object({
  id: z.string(),
  siteName: z.string(),
  status: purchaseStatus,
  customerEmail: z.string().nullable(),
  customerId: z.string().nullable(),
  /** null while the provider has not said it. */
  amount: minorUnits.nullable(),
  currency,
  timestamp: instant,
  /** An http or https address, or null. */
  productionUrl: z.string().nullable(),
  /** By whoever asks. */
  unread: z.boolean(),
})
export type Purchase = z.output<typeof purchase>

export const purchaseDetails = z.object({
  ...purchase.shape,
  customerName: z.string().nullable(),
  paymentId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  /** null when the provider did not say it. */
  refundedAmount: minorUnits.nullable(),
  /** In the provider's words. */
  checkoutStatus: z.string().nullable(),
  paymentStatus: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** Its status was reset, and that was not undone. */
  isReset: z.boolean(),
  fetchedAt: instant,
})
export type PurchaseDetails = z.output<typeof purchaseDetails>

export const listPurchases = endpoint({
  method: 'GET',
  path: '/v1/admin/purchases',
  permission: 'billing.read',
  summary: 'Purchases, newest first, and how many of them whoever asks has not read',
  query: z.strictObject(pageQuery(100)),
  response: z.object({
    purchases: z.array(purchase),
    unreadCount: count,
    has_more: z.boolean(),
    total: count,
    as_of: mirroredAsOf,
  }),
  topics: ['purchases', 'payments'],
  isPersonal: true,
})

export const getPurchase = endpoint({
  method: 'GET',
  path: '/v1/admin/purchases/:id',
  permission: 'billing.read',
  summary: 'One purchase with its payment and metadata',
  params: idParams,
  response: z.object({ purchase: purchaseDetails }),
  topics: ['purchases', 'payments'],
  isPersonal: true,
})

export const markPurchasesRead = endpoint({
  method: 'POST',
  path: '/v1/admin/purchases/read',
  permission: 'billing.read',
  summary: 'Mark the given purchases read, or all of them',
  body: z.strictObject({ ids: z.array(z.string().max(255)).max(200).optional() }).nullish(),
  response: z.object({ unreadCount: count }),
})
