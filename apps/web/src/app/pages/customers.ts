import { CustomersPage } from '../../features/customers/CustomersPage.tsx'
import { customersQueries } from '../../features/customers/customers-list.ts'
import type { PageModule } from '../page.tsx'

export const customersPage: PageModule = { Page: CustomersPage, queriesFor: customersQueries }
