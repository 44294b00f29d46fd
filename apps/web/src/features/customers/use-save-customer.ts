import { type Customer, customers, timeline } from '@agency/contract/descriptors'
import type { ApiError } from '../../lib/problems.ts'
import { isUncertain } from '../../lib/uncertain.ts'
import { useAct } from '../../lib/use-act.ts'

type SaveEndpoint = typeof customers.createCustomer | typeof customers.updateCustomer
type Saved = Pick<Customer, 'id' | 'name' | 'email'>

const reads = [
  customers.listCustomers,
  customers.getCustomer,
  customers.getCustomerForm,
  timeline.listTimeline,
  customers.listCustomersByEmail,
]

/** A conflict that is not one of versions says that something is being saved right now, maybe this. */
const isOpen = (error: ApiError): boolean =>
  error.code === 'conflict' ? error.parameter !== 'version' : isUncertain(error)

/** Saves a customer, once. */
export const useSaveCustomer = <E extends SaveEndpoint>(endpoint: E, onSaved: (customer: Saved) => void) =>
  useAct(endpoint, reads, ({ customer }) => onSaved(customer), isOpen)
