import Alert from '@mui/material/Alert'
import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Conflict, EditForm } from '../../lib/form/use-edit-form.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'

type Props<V extends FieldValues> = {
  form: EditForm<V>
  onSubmit: (values: V, before: V) => void
} & Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'blocked' | 'error'>

/** The fields of a form that are sent together, what was refused, and what somebody else changed meanwhile. */
export function EditFormDialog<V extends FieldValues>({ form, onSubmit, children, ...dialog }: Props<V>) {
  const { conflict } = form
  return (
    <FormDialog
      pending={form.isPending}
      {...dialog}
      blocked={conflict ? 'Load the current state first' : undefined}
      error={form.refusal}
      onSubmit={() => form.submit(onSubmit)}
    >
      {conflict ? <ConflictNotice conflict={conflict} /> : null}
      {children}
    </FormDialog>
  )
}

function ConflictNotice({ conflict }: { conflict: Conflict }) {
  return (
    <Alert
      severity="warning"
      role="alert"
      action={
        <Button color="inherit" size="small" loading={conflict.isLoading} onClick={conflict.takeOver}>
          Load current state
        </Button>
      }
    >
      {conflict.message} Load the current state: your changes are kept.
    </Alert>
  )
}
