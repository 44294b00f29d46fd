import { customerLifecycle, customers } from '@agency/contract/descriptors'

/** What is read again once an act was begun. */
export const lifecycleReads = [customerLifecycle.getLifecycle, customers.getCustomer, customers.listCustomers]
