import { actions } from './kinds/actions.ts'
import { alerts } from './kinds/alerts.ts'
import { deployments } from './kinds/deployments.ts'
import { invoices } from './kinds/invoices.ts'
import { disputes, payments, refunds } from './kinds/payments.ts'
import { purchases } from './kinds/purchases.ts'
import { subscriptions } from './kinds/subscriptions.ts'
import { mails, notes } from './kinds/support.ts'
import type { Source } from './source.ts'

/**
 * Everything that is merged. Of entries at the same instant those of a later source are shown first, so that what caused
 * something stands below it.
 */
export const sources: readonly Source[] = [
  ...subscriptions,
  ...invoices,
  purchases,
  payments,
  refunds,
  disputes,
  deployments,
  alerts,
  notes,
  mails,
  ...actions,
]
