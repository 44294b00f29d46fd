import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import type { SqlSnippet } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { type EditForm, type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'

export type SnippetAct =
  | { kind: 'save'; query: string }
  | { kind: 'edit'; snippet: SqlSnippet }
  | { kind: 'delete'; snippet: SqlSnippet }

type Props = { act: SnippetAct; onClose: () => void }
type Fields = { name: string; query: string; is_shared: boolean }

const stale = [sqlConsole.listSnippets]

export function SnippetDialogs({ act, onClose }: Props) {
  if (act.kind === 'save') return <SaveDialog query={act.query} onClose={onClose} />
  if (act.kind === 'edit') return <EditDialog snippet={act.snippet} onClose={onClose} />
  return <DeleteDialog snippet={act.snippet} onClose={onClose} />
}

const problemsOf = ({ name, query }: Fields): Problems<Fields> => ({
  name: name.trim() === '' ? 'Enter a name' : undefined,
  query: query.trim() === '' ? 'Enter a query' : undefined,
})

function SaveDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const create = useCall(sqlConsole.createSnippet, stale, { isOneIntent: true })
  const toast = useToast()
  const form = useEditForm<Fields>({ values: { name: '', query, is_shared: false }, problemsOf, call: create })
  const handleSubmit = (body: Fields) =>
    create.mutate(
      { body },
      {
        onSuccess: ({ snippet }) => {
          toast.success(`Saved ${snippet.name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title="Save snippet"
      submitLabel="Save snippet"
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <SnippetFields form={form} />
    </EditFormDialog>
  )
}

function EditDialog({ snippet, onClose }: { snippet: SqlSnippet; onClose: () => void }) {
  const save = useCall(sqlConsole.updateSnippet, stale)
  const toast = useToast()
  const { id, version, name, query, is_shared } = snippet
  const form = useEditForm<Fields>({ values: { name, query, is_shared }, problemsOf, call: save })
  const handleSubmit = (fields: Fields) =>
    save.mutate(
      { params: { id }, body: { version, ...fields } },
      {
        onSuccess: () => {
          toast.success(`Saved ${fields.name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title="Edit snippet"
      submitLabel="Save changes"
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <SnippetFields form={form} />
    </EditFormDialog>
  )
}

function SnippetFields({ form }: { form: EditForm<Fields> }) {
  return (
    <>
      <TextInput form={form} name="name" label="Name" autoFocus inputProps={{ maxLength: 100 }} />
      <QueryInput form={form} />
      <SharedInput form={form} />
    </>
  )
}

function QueryInput({ form }: { form: EditForm<Fields> }) {
  const { value, onChange, problem, disabled } = useField(form, 'query')
  return (
    <TextField
      multiline
      minRows={4}
      maxRows={12}
      label="Query"
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function SharedInput({ form }: { form: EditForm<Fields> }) {
  const { value, onChange, disabled } = useField(form, 'is_shared')
  return (
    <FormControlLabel
      disabled={disabled}
      control={<Switch checked={value} onChange={(_, checked) => onChange(checked)} />}
      label="Share with everyone who can run queries"
    />
  )
}

function DeleteDialog({ snippet, onClose }: { snippet: SqlSnippet; onClose: () => void }) {
  const remove = useCall(sqlConsole.deleteSnippet, stale)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params: { id: snippet.id } },
      {
        onSuccess: () => {
          toast.success(`Deleted ${snippet.name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete snippet"
      consequences={[
        <bdi key="name">{snippet.name}</bdi>,
        snippet.is_shared ? 'Others lose this snippet too.' : 'Only you can see this snippet.',
      ]}
      confirmLabel="Delete snippet"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
