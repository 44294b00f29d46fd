import { type MutateOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call, type Endpoint, type Input, type ResponseOf } from './api.ts'
import type { ApiError } from './problems.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

type Variables<E extends Endpoint> = Input<E> & { idempotencyKey?: string }
type Told<E extends Endpoint> = MutateOptions<ResponseOf<E>, ApiError, Variables<E>>

/**
 * A mutation that calls the endpoint and, once it succeeded, reads the given endpoints again. While a call is under way
 * another one is not made: rows that may be acted on at once have a hook each.
 * Money-moving calls pass the `idempotencyKey` of their action, so that a second try is the same action.
 */
export function useCall<E extends Endpoint>(endpoint: E, stale: readonly Endpoint[] = []) {
  const client = useQueryClient()
  const oneAtATime = useOneAtATime()
  const { mutateAsync, ...mutation } = useMutation<ResponseOf<E>, ApiError, Variables<E>>({
    mutationFn: ({ idempotencyKey, ...input }) => call(endpoint, input as Input<E>, { idempotencyKey }),
    onSuccess: () => Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))),
  })
  const mutate = useCallback(
    (variables: Variables<E>, told?: Told<E>) =>
      // What went wrong is in `error`, and told to `onError`.
      void oneAtATime(() => mutateAsync(variables, told).catch(() => {})),
    [oneAtATime, mutateAsync],
  )
  return { ...mutation, mutate }
}
