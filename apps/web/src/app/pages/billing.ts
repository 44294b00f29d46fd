import { BillingPage } from '../../features/billing/BillingPage.tsx'
import { billingQueries } from '../../features/billing/billing-list.ts'
import { dunningList } from '../../features/invoices/dunning/dunning-list.ts'
import { paths } from '../../lib/paths.ts'
import { withInvoices } from '../invoice-parts.tsx'
import type { PageModule } from '../page.tsx'

export const billingPage: PageModule = {
  Page: withInvoices(BillingPage),
  queriesFor: (params, pathname) =>
    pathname === paths.payments && params.get('tab') === 'dunning'
      ? dunningList.queriesFor(params, pathname)
      : billingQueries(params, pathname),
}
