import { BillingPage } from '../../features/billing/BillingPage.tsx'
import { billingQueries } from '../../features/billing/billing-list.ts'
import type { PageModule } from '../page.tsx'

export const billingPage: PageModule = { Page: BillingPage, queriesFor: billingQueries }
