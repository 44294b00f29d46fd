import { useRef } from 'react'
import { type Endpoint, type Input, newId, type ResponseOf } from './api.ts'
import type { ApiError } from './problems.ts'
import { isUncertain } from './uncertain.ts'
import { useCall } from './use-call.ts'

type Told<E extends Endpoint> = { onSuccess: (answer: ResponseOf<E>) => void; onError?: (error: ApiError) => void }

/**
 * A call that is made once: a press while it is under way does nothing, and its idempotency key stays the same until it is
 * certain what became of it, so that a try after a lost answer is the same act.
 */
export function useKeyedCall<E extends Endpoint>(endpoint: E, stale: readonly Endpoint[]) {
  const call = useCall(endpoint, stale)
  const uncertain = useRef(new Map<string, string>())
  const run = (input: Input<E>, { onSuccess, onError }: Told<E>) => {
    const asked = JSON.stringify(input)
    const key = uncertain.current.get(asked) ?? newId()
    uncertain.current.set(asked, key)
    call.mutate(
      { ...input, idempotencyKey: key },
      {
        onSuccess: (answer) => {
          uncertain.current.delete(asked)
          onSuccess(answer)
        },
        onError: (error) => {
          // Refused for certain: another try is another act.
          if (!isUncertain(error)) uncertain.current.delete(asked)
          onError?.(error)
        },
      },
    )
  }
  return { run, isPending: call.isPending, error: call.error }
}
