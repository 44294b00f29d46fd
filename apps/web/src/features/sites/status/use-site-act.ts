import { sites } from '@agency/contract/descriptors'
import { useRef, useState } from 'react'
import { type Endpoint, type Input, newId, type ResponseOf } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'

const siteReads: readonly Endpoint[] = [sites.listSites, sites.getSite]

/** Sends an act once: a second press, or a try after a lost answer, is the same act. */
export function useSiteAct<E extends Endpoint>(
  endpoint: E,
  onDone: (answer: ResponseOf<E>) => void,
  reads: readonly Endpoint[] = siteReads,
) {
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
