import { type Customer, customers, timeline } from '@agency/contract/descriptors'
import { useRef, useState } from 'react'
import { type Input, newId } from '../../lib/api.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'

type SaveEndpoint = typeof customers.createCustomer | typeof customers.updateCustomer
type Saved = Pick<Customer, 'id' | 'name' | 'email'>

const reads = [
  customers.listCustomers,
  customers.getCustomer,
  customers.getCustomerForm,
  timeline.listTimeline,
  customers.listCustomersByEmail,
]

const uncertain = ['outcome_unknown', 'unreachable', 'bad_answer', 'internal']

/** Whether it may have happened, or may still be happening, although the answer is an error. */
function isUncertain(error: ApiError): boolean {
  if (error.code === 'conflict') return error.parameter !== 'version'
  // A proxy's own 502 or 504 carries no request id of ours: the console may have gone on without it.
  return uncertain.includes(error.code) || (error.status >= 500 && error.requestId === undefined)
}

/**
 * Saves a customer. The id of the action is sent as the idempotency key with every try, so that a second press, or a
 * try after a lost answer, is the same action.
 */
export function useSaveCustomer<E extends SaveEndpoint>(endpoint: E, onSaved: (customer: Saved) => void) {
  const [actionId, setActionId] = useState(newId)
  const save = useCall(endpoint, reads)
  const isUnknown = save.error !== null && isUncertain(save.error)
  // What was saved is not sent again by the second half of a double click.
  const busy = useRef(false)
  const run = (input: Input<E>) => {
    if (busy.current) return
    busy.current = true
    save.mutate(
      { ...input, idempotencyKey: actionId },
      {
        onSuccess: ({ customer }) => onSaved(customer),
        // The provider may answer the same refusal to the same key, whatever is sent.
        onError: (error) => {
          busy.current = false
          if (!isUncertain(error)) setActionId(newId())
        },
      },
    )
  }
  return { run, isPending: save.isPending, error: save.error, isUnknown, clear: save.reset }
}
