import {
  type FieldError,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  useController,
  useFormState,
} from 'react-hook-form'
import type { EditForm } from './use-edit-form.ts'

/** What is wrong with a field, or with what is told at it. What was typed since comes before what the server said. */
export function useProblem<V extends FieldValues>(form: EditForm<V>, name: FieldPath<V>): string | undefined {
  const { errors } = useFormState({ control: form.control, name })
  const refused = form.refused?.name === name ? form.refused.message : undefined
  return (get(errors, name) as FieldError | undefined)?.message ?? refused
}

/** One field of a form: typing in it shows anew what shows it, and nothing else. */
export function useField<V extends FieldValues, N extends FieldPath<V>>(form: EditForm<V>, name: N) {
  const { field } = useController({ control: form.control, name })
  return {
    value: field.value as FieldPathValue<V, N>,
    onChange: field.onChange as (value: FieldPathValue<V, N>) => void,
    problem: useProblem(form, name),
    disabled: form.isPending,
  }
}

/** The form as one of some of its fields, for parts that several forms have. */
export function partOf<V extends FieldValues, K extends keyof V>(form: EditForm<V>, ..._fields: readonly K[]) {
  return form as unknown as EditForm<Pick<V, K>>
}
