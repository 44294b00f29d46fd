import * as customers from '@agency/contract/descriptors/customers'
import * as timeline from '@agency/contract/descriptors/timeline'
import type { ApiError } from '../../lib/problems.ts'
import { isUncertain } from '../../lib/uncertain.ts'
import { useCall } from '../../lib/use-call.ts'

type SaveEndpoint = typeof customers.createCustomer | typeof customers.updateCustomer

const reads = [
  customers.listCustomers,
  customers.getCustomer,
  customers.getCustomerForm,
  timeline.listTimeline,
  customers.listCustomersByEmail,
]

/** A conflict that is not one of versions says that something is being saved right now, maybe this. */
const mayHaveHappened = (error: ApiError): boolean =>
  error.code === 'conflict' ? error.parameter !== 'version' : isUncertain(error)

/** Saves a customer, once. */
export const useSaveCustomer = <E extends SaveEndpoint>(endpoint: E) =>
  useCall(endpoint, reads, { isOneIntent: true, mayHaveHappened })
