import { BillingPage } from '../../features/billing/BillingPage.tsx'
import { billingQueries } from '../../features/billing/billing-list.ts'
import { withInvoices } from '../invoice-parts.tsx'
import type { PageModule } from '../page.tsx'

export const billingPage: PageModule = { Page: withInvoices(BillingPage), queriesFor: billingQueries }
