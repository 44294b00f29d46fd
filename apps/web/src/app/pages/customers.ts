import { CustomersPage } from '../../features/customers/CustomersPage.tsx'
import { customersList } from '../../features/customers/customers-list.ts'
import { withCustomerReports } from '../customer-report-parts.tsx'
import { withInvoices } from '../invoice-parts.tsx'
import type { PageModule } from '../page.tsx'

export const customersPage: PageModule = {
  Page: withCustomerReports(withInvoices(CustomersPage)),
  queriesFor: customersList.queriesFor,
}
