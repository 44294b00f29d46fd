import { useContext, useEffect, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  set,
  type UseFormGetValues,
  type UseFormSetValue,
  useForm,
} from 'react-hook-form'
import type { ApiError } from '../problems.ts'
import { ToastContext } from '../toasts.ts'
import { isOutdated, type Refused, refusedAt } from './refusal.ts'

/** What is wrong with what was typed, by the field. */
export type Problems<V extends FieldValues> = Partial<Record<FieldPath<V>, string | undefined>>

/** What became of sending: of `useCall`, or of a money action. */
type Sending = { isPending: boolean; error: ApiError | null; reset?: () => void }

type Options<V extends FieldValues> = {
  /** What it begins with. Taken once: what comes in later must not change what somebody is typing over. */
  values: V
  /** What comes in later is taken over by itself, below what was typed: for a form that stands open on a screen. */
  follows?: boolean
  /** Told from the first press of the button on. */
  problemsOf?: (values: V) => Problems<V>
  call?: Sending
  /** The fields that the server names otherwise. */
  fields?: Readonly<Record<string, FieldPath<V>>>
  /** Loads the newer state after a conflict of versions. */
  reload?: () => Promise<V>
  /** What was typed over the old state, now over the newer one, where that is not field by field. */
  merge?: (typed: V, before: V, now: V) => Partial<V>
}

export type EditForm<V extends FieldValues> = {
  control: Control<V>
  getValues: UseFormGetValues<V>
  setValue: UseFormSetValue<V>
  /** The state that is being changed. */
  before: V
  isPending: boolean
  /** The refusal at its field. */
  refused: Refused<V> | undefined
  /** The refusal that belongs to no field. */
  refusal: ApiError | null
  conflict: Conflict | undefined
  /** Checks, and hands over what can be sent with the state that it was typed over. */
  submit: (send: (values: V, before: V) => void) => void
  /** Forgets what was typed and what was refused. */
  discard: () => void
}

/** Somebody else was faster. */
export type Conflict = { message: string; isLoading: boolean; takeOver: () => void }

/** A form over a state of the server: what was typed, what is wrong with it, what was refused, and what came in meanwhile. */
export function useEditForm<V extends FieldValues>(options: Options<V>): EditForm<V> {
  const { values, follows = false, problemsOf, call, fields, reload, merge } = options
  const [taken, setTaken] = useState(values)
  const before = follows ? values : taken
  const form = useForm<V>({
    defaultValues: taken as DefaultValues<V>,
    ...(follows && { values, resetOptions: { keepDirtyValues: true, keepIsSubmitted: true } }),
    // Typing checks the whole below, since one field may set another right.
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
    resolver: (typed) => {
      const errors = errorsOf(problemsOf?.(typed) ?? {})
      return Object.keys(errors).length === 0 ? { values: typed, errors: {} } : { values: {}, errors }
    },
  })
  // A field counts as changed only where somebody asks for it.
  void form.formState.dirtyFields
  const tried = useProblemsAfterFirstTry(form.subscribe, form.trigger)
  const conflict = useConflict(call?.error ?? null, reload, (now) => {
    const merged = merge?.(form.getValues(), before, now) ?? {}
    form.reset(now as DefaultValues<V>, { keepDirtyValues: true, keepIsSubmitted: true })
    for (const name of Object.keys(merged) as FieldPath<V>[]) form.setValue(name, get(merged, name))
    setTaken(now)
    call?.reset?.()
  })
  const error = conflict ? null : (call?.error ?? null)
  const refused = refusedAt(error, before, fields)
  const isPending = call?.isPending ?? false

  return {
    control: form.control,
    getValues: form.getValues,
    setValue: form.setValue,
    before,
    isPending,
    refused,
    refusal: refused ? null : error,
    conflict,
    submit: (send) => {
      if (conflict || isPending) return
      tried.current = true
      void form.handleSubmit((typed) => send(typed as V, before))()
    },
    discard: () => {
      tried.current = false
      form.reset(undefined, { keepDirtyValues: false, keepIsSubmitted: false })
      call?.reset?.()
    },
  }
}

function errorsOf<V extends FieldValues>(problems: Problems<V>): FieldErrors<V> {
  const errors = {}
  for (const [name, message] of Object.entries(problems)) if (message) set(errors, name, { type: 'problem', message })
  return errors
}

type Form<V extends FieldValues> = ReturnType<typeof useForm<V>>

function useProblemsAfterFirstTry<V extends FieldValues>(subscribe: Form<V>['subscribe'], trigger: Form<V>['trigger']) {
  const tried = useRef(false)
  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => void (tried.current && trigger()) }),
    [subscribe, trigger],
  )
  return tried
}

/** Only the person decides when the newer state comes in, and nothing is sent before. */
function useConflict<V>(
  error: ApiError | null,
  reload: (() => Promise<V>) | undefined,
  onLoaded: (now: V) => void,
): Conflict | undefined {
  const toasts = useContext(ToastContext)
  const [isLoading, setLoading] = useState(false)
  if (!reload || !error || !isOutdated(error)) return undefined
  const takeOver = async () => {
    setLoading(true)
    try {
      onLoaded(await reload())
    } catch (failure) {
      toasts?.error('The current state could not be loaded', failure as ApiError)
    }
    setLoading(false)
  }
  return { message: error.message, isLoading, takeOver: () => void takeOver() }
}
