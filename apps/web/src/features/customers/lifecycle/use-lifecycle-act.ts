import { customerLifecycle, customers } from '@agency/contract/descriptors'
import { useRef, useState } from 'react'
import { type Endpoint, type Input, newId, type ResponseOf } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'

const reads = [customerLifecycle.getLifecycle, customers.getCustomer, customers.listCustomers]

/**
 * Sends an act once: its id goes with every try as the idempotency key, so that a second press, or a try after a lost
 * answer, is the same act.
 */
export function useLifecycleAct<E extends Endpoint>(endpoint: E, onDone: (answer: ResponseOf<E>) => void) {
  const [actionId, setActionId] = useState(newId)
  const act = useCall(endpoint, reads)
  const busy = useRef(false)
  const run = (input: Input<E>) => {
    if (busy.current) return
    busy.current = true
    act.mutate(
      { ...input, idempotencyKey: actionId },
      {
        onSuccess: onDone,
        onError: (error) => {
          busy.current = false
          // Refused for certain: another try is another act.
          if (error.status >= 400 && error.status < 500) setActionId(newId())
        },
      },
    )
  }
  return { run, isPending: act.isPending, error: act.error }
}
