import { CustomersPage } from '../../features/customers/CustomersPage.tsx'
import { customersList } from '../../features/customers/customers-list.ts'
import { withCustomerReports } from '../customer-report-parts.tsx'
import { withInvoices } from '../invoice-parts.tsx'
import type { PageModule } from '../page.tsx'
import { withSubscriptions } from '../subscription-parts.tsx'

export const customersPage: PageModule = {
  Page: withCustomerReports(withInvoices(withSubscriptions(CustomersPage))),
  queriesFor: customersList.queriesFor,
}
