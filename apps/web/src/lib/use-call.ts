import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Endpoint, type Input, type ResponseOf } from './api.ts'
import type { ApiError } from './problems.ts'

type Variables<E extends Endpoint> = Input<E> & { idempotencyKey?: string }

/**
 * A mutation that calls the endpoint and, once it succeeded, reads the given endpoints again.
 * Money-moving calls pass the `idempotencyKey` of their action, so that a second try is the same action.
 */
export function useCall<E extends Endpoint>(endpoint: E, stale: readonly Endpoint[] = []) {
  const client = useQueryClient()
  return useMutation<ResponseOf<E>, ApiError, Variables<E>>({
    mutationFn: ({ idempotencyKey, ...input }) => call(endpoint, input as Input<E>, { idempotencyKey }),
    onSuccess: () => Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))),
  })
}
