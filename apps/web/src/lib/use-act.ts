import { useRef, useState } from 'react'
import { type Endpoint, type Input, newId, type ResponseOf } from './api.ts'
import { isUncertain } from './uncertain.ts'
import { useCall } from './use-call.ts'

/**
 * An act that is done once. Its id is sent as the idempotency key with every try, so that a second press, or a try after
 * a lost answer, is the same act; what was refused for certain is over, and another try is another act.
 */
export function useAct<E extends Endpoint>(
  endpoint: E,
  stale: readonly Endpoint[],
  onDone: (answer: ResponseOf<E>) => void,
  isOpen = isUncertain,
) {
  const [actionId, setActionId] = useState(newId)
  const act = useCall(endpoint, stale)
  // What was done is not sent again by a press that comes while the dialog is closing.
  const isDone = useRef(false)
  const run = (input: Input<E>) => {
    if (isDone.current) return
    act.mutate(
      { ...input, idempotencyKey: actionId },
      {
        onSuccess: (answer) => {
          isDone.current = true
          onDone(answer)
        },
        onError: (error) => {
          if (!isOpen(error)) setActionId(newId())
        },
      },
    )
  }
  const isUnknown = act.error !== null && isOpen(act.error)
  return { run, isPending: act.isPending, error: act.error, isUnknown, clear: act.reset }
}
