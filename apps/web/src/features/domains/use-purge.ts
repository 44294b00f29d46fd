import { domains } from '@agency/contract/descriptors'
import { useRef, useState } from 'react'
import { type Input, newId } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'

/** A second press, or a try after a lost answer, is the same purge: its id goes with every try. */
export function usePurge(onDone: () => void) {
  const [actionId, setActionId] = useState(newId)
  const purge = useCall(domains.purgeCache, [domains.previewPurge])
  const busy = useRef(false)
  const run = (input: Input<typeof domains.purgeCache>) => {
    if (busy.current) return
    busy.current = true
    purge.mutate(
      { ...input, idempotencyKey: actionId },
      {
        onSuccess: onDone,
        onError: (error) => {
          busy.current = false
          // Refused for certain: another try is another purge.
          if (error.code !== 'outcome_unknown' && error.code !== 'unreachable') setActionId(newId())
        },
      },
    )
  }
  return { run, isPending: purge.isPending, error: purge.error }
}
