import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as customers from '@agency/contract/descriptors/customers'

/** What is read again once an act was begun. */
export const lifecycleReads = [customerLifecycle.getLifecycle, customers.getCustomer, customers.listCustomers]
