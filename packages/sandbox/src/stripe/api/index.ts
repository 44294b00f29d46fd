import type { Route } from '../../http/route.ts'
import { accounts } from './account.ts'
import { catalogueReads } from './catalogue.ts'
import { checkoutSessions } from './checkout.ts'
import { customerReads } from './customers.ts'
import { disputes } from './disputes.ts'
import { invoiceReads } from './invoices.ts'
import { charges, events, invoicePayments, paymentIntents, paymentMethods } from './read-only.ts'
import { refunds } from './refunds.ts'
import { subscriptionEnds, subscriptionReads } from './subscriptions.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const routes: Route[] = [
  ...accounts,
  ...catalogueReads,
  ...charges,
  ...checkoutSessions,
  ...customerReads,
  ...disputes,
  ...events,
  ...invoicePayments,
  ...invoiceReads,
  ...paymentIntents,
  ...paymentMethods,
  ...refunds,
  ...subscriptionEnds,
  ...subscriptionReads,
  ...webhookEndpoints,
]
