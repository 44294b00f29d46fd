import type { Route } from '../../http/route.ts'
import { accounts } from './account.ts'
import { balanceTransactions } from './balance-transactions.ts'
import { checkoutSessions } from './checkout.ts'
import { coupons } from './coupons.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { invoiceItems } from './invoice-items.ts'
import { invoiceWrites } from './invoice-writes.ts'
import { invoiceReads } from './invoices.ts'
import { balances, portal } from './money.ts'
import { paymentLinks } from './payment-links.ts'
import { paymentMethods } from './payment-methods.ts'
import { prices } from './prices.ts'
import { products } from './products.ts'
import { promotionCodes } from './promotion-codes.ts'
import { charges, events, invoicePayments, paymentIntents } from './read-only.ts'
import { refunds } from './refunds.ts'
import { subscriptionWrites } from './subscription-writes.ts'
import { subscriptionEnds, subscriptionReads } from './subscriptions.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const routes: Route[] = [
  ...accounts,
  ...balanceTransactions,
  ...balances,
  ...charges,
  ...checkoutSessions,
  ...coupons,
  ...customers,
  ...disputes,
  ...events,
  ...invoiceItems,
  ...invoicePayments,
  ...invoiceReads,
  ...invoiceWrites,
  ...paymentIntents,
  ...paymentLinks,
  ...paymentMethods,
  ...portal,
  ...prices,
  ...products,
  ...promotionCodes,
  ...refunds,
  ...subscriptionEnds,
  ...subscriptionReads,
  ...subscriptionWrites,
  ...webhookEndpoints,
]
