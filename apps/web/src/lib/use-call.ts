import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { call, type Endpoint, type Input, newId, type ResponseOf } from './api.ts'
import type { ApiError } from './problems.ts'
import { RefreshContext } from './refresh.ts'
import { denialOf, useSession } from './session.ts'
import { ToastContext, type Toasts } from './toasts.ts'
import { isUncertain } from './uncertain.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

/** For what takes several calls or changes the session. The key is that of the one intent, where the hook has one. */
type Send<I, A> = (input: I, idempotencyKey: string) => Promise<A>

type Options = {
  /**
   * The hook has one intent, as a dialog does: a retry has the same idempotency key even if the input has changed, and
   * nothing more is sent after a success. Without it, each input is an intent of its own.
   */
  isOneIntent?: boolean
  /** Whether the call may have taken effect although it failed. */
  mayHaveHappened?: (error: ApiError) => boolean
}

type Callbacks<A> = {
  /** Called only while the component is mounted, as the other two are. */
  onSuccess?: (answer: A) => void
  onError?: (error: ApiError) => void
  onSettled?: () => void
  /** Shown as a toast, even if the row that was acted on has left with its button. */
  success?: string | ((toast: Toasts, answer: A) => void)
  /**
   * Shown as a toast with the error, for an action that has no place of its own for it; as `success`, in any case. Not
   * where the server says that the outcome is unknown: then the toast says so instead.
   */
  failure?: string
}

type State<A> = { isPending: boolean; error: ApiError | null; data: A | undefined }

export type Call<I, A> = State<A> & {
  mutate: (input: I, callbacks?: Callbacks<A>) => void
  /** Forgets the outcome. */
  reset: () => void
  /** The call failed and may have taken effect. */
  isUnknown: boolean
  /** Why the actor may not make the call, or undefined. */
  denial: string | undefined
}

type Called = Endpoint | Send<unknown, unknown>

const idle = { isPending: false, error: null, data: undefined }

/**
 * Calls the endpoint and, after a success, reads the stale endpoints again. A second press while the call is in flight
 * does nothing, so rows that can be acted on at the same time need a hook each. A retry after a lost answer sends the
 * same idempotency key; a retry after a refusal sends a new one.
 */
export function useCall<E extends Endpoint>(
  endpoint: E,
  stale?: readonly Endpoint[],
  options?: Options,
): Call<Input<E>, ResponseOf<E>>
export function useCall<I, A>(send: Send<I, A>, stale?: readonly Endpoint[], options?: Options): Call<I, A>
export function useCall(
  called: Called,
  stale: readonly Endpoint[] = [],
  { isOneIntent = false, mayHaveHappened = isUncertain }: Options = {},
): Call<unknown, unknown> {
  const refresh = useContext(RefreshContext)
  const toasts = useContext(ToastContext)
  const [state, setState] = useState<State<unknown>>(idle)
  const [intents] = useState(() => new Intents())
  const oneAtATime = useOneAtATime()
  const isMounted = useIsMounted()

  const run = async (input: unknown, callbacks: Callbacks<unknown>) => {
    if (intents.isOver) return
    const intent = isOneIntent ? '' : intentOf(called, input)
    setState({ ...idle, isPending: true })
    const outcome = await outcomeOf(sendOf(called)(input, intents.keyOf(intent)))
    if (!outcome.error) {
      intents.isOver = isOneIntent
      await refresh(stale)
    }
    if (!outcome.error || !mayHaveHappened(outcome.error)) intents.close(intent)
    if (toasts) tell(outcome, callbacks, toasts)
    if (!isMounted.current) return
    setState({ ...idle, ...outcome })
    if (!outcome.error) callbacks.onSuccess?.(outcome.data)
    else callbacks.onError?.(outcome.error)
    callbacks.onSettled?.()
  }
  const latest = useLatest(run)
  const mutate = useCallback(
    (input: unknown, callbacks: Callbacks<unknown> = {}) => void oneAtATime(() => latest.current(input, callbacks)),
    [oneAtATime, latest],
  )
  const reset = useCallback(() => setState(({ isPending }) => ({ ...idle, isPending })), [])
  const isUnknown = state.error !== null && mayHaveHappened(state.error)
  return { ...state, mutate, reset, isUnknown, denial: useDenialOf(called) }
}

/** The idempotency keys of the intents that are in flight or may have taken effect. */
class Intents {
  isOver = false
  private readonly keys = new Map<string, string>()

  keyOf(intent: string | undefined): string {
    if (intent === undefined) return newId()
    const key = this.keys.get(intent) ?? newId()
    this.keys.set(intent, key)
    return key
  }

  close(intent: string | undefined): void {
    if (intent !== undefined) this.keys.delete(intent)
  }
}

/** Undefined for a call without a key: its input may be a password, so it is not kept. */
const intentOf = (called: Called, input: unknown): string | undefined =>
  typeof called !== 'function' && called.idempotent ? JSON.stringify(input) : undefined

function sendOf(called: Called): Send<unknown, unknown> {
  if (typeof called === 'function') return called
  return (input, idempotencyKey) => call(called, input as Input<Endpoint>, { idempotencyKey })
}

type Outcome = { data: unknown; error: null } | { data: undefined; error: ApiError }

async function outcomeOf(answer: Promise<unknown>): Promise<Outcome> {
  try {
    return { data: await answer, error: null }
  } catch (error) {
    return { data: undefined, error: error as ApiError }
  }
}

function tell(outcome: Outcome, { success, failure }: Callbacks<unknown>, toasts: Toasts): void {
  if (outcome.error) {
    const isOpen = outcome.error.code === 'outcome_unknown'
    if (failure !== undefined) toasts.error(isOpen ? 'Outcome unknown' : failure, outcome.error)
  } else if (typeof success === 'string') toasts.success(success)
  else success?.(toasts, outcome.data)
}

function useDenialOf(called: Called): string | undefined {
  const session = useSession()
  if (typeof called === 'function' || session.phase !== 'signed-in') return undefined
  return denialOf(called.permission, session.state.actor.permissions)
}

function useLatest<T>(value: T) {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}

function useIsMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
