import { deployments } from '@agency/contract/descriptors'
import { useRef } from 'react'
import { type Endpoint, type Input, newId, type ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'

const reads = [deployments.listDeployments, deployments.getDeployment]

/**
 * Sends an act once: its id goes with every try as the idempotency key, so that a second press, or a try after a lost
 * answer, is the same act.
 */
export function useDeploymentAct<E extends Endpoint>(endpoint: E, onDone: (answer: ResponseOf<E>) => void) {
  const actionId = useRef(newId())
  const busy = useRef(false)
  const act = useCall(endpoint, reads)
  const run = (input: Input<E>) => {
    if (busy.current) return
    busy.current = true
    act.mutate(
      { ...input, idempotencyKey: actionId.current },
      {
        onSuccess: (answer) => {
          actionId.current = newId()
          onDone(answer)
        },
        onError: (error) => {
          // Refused for certain: another try is another act.
          if (error.status >= 400 && error.status < 500) actionId.current = newId()
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  return { run, isPending: act.isPending, error: act.error }
}
