import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { newId, type ResponseOf } from '../../lib/api.ts'
import { type EditForm, type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useIdentityProof } from '../../lib/identity-proof.ts'
import { useCall } from '../../lib/use-call.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { IdentityInput } from '../../ui/form/IdentityInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import css from './sql-console.module.css'
import type { Asked } from './use-query-run.ts'

export type Written = ResponseOf<typeof sqlConsole.startWrite>
type Fields = { reason: string; identity_proof: string; all_rows: boolean }

type Props = { asked: Asked; onWritten: (written: Written) => void; onClose: () => void }

const stale = [sqlConsole.listWrites, sqlConsole.listQueries]

/** Why, and who it is, before a change is made; nothing is kept of it yet. */
export function WriteDialog({ asked, onWritten, onClose }: Props) {
  const write = useCall(sqlConsole.startWrite, stale)
  const proof = useIdentityProof()
  // Only the server can tell that there is no WHERE, since it reads the query as PostgreSQL does.
  const asksForAll = write.error?.parameter === 'all_rows'
  const form = useEditForm<Fields>({
    values: { reason: '', identity_proof: '', all_rows: false },
    problemsOf: ({ reason, identity_proof }): Problems<Fields> => ({
      reason: reason.trim().length < 3 ? 'Say why' : undefined,
      identity_proof: identity_proof === '' ? proof.help : undefined,
    }),
    call: write,
  })
  const handleSubmit = (fields: Fields) =>
    write.mutate({ body: { id: newId(), ...asked, ...fields } }, { onSuccess: onWritten })
  return (
    <EditFormDialog
      title="Make a change"
      submitLabel="Make the change"
      intro={
        <>
          <pre className={css['shown']}>{asked.query}</pre>
          <p>You will see the rows before and after. Nothing is saved until you press Commit.</p>
        </>
      }
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {asksForAll || form.getValues('all_rows') ? <AllRowsInput form={form} /> : null}
      <TextInput form={form} name="reason" label="Reason" autoFocus inputProps={{ maxLength: 500 }} />
      <IdentityInput form={form} name="identity_proof" proof={proof} />
    </EditFormDialog>
  )
}

function AllRowsInput({ form }: { form: EditForm<Fields> }) {
  const { value, onChange, disabled } = useField(form, 'all_rows')
  return (
    <ErrorPanel tone="warning" title="No WHERE: this changes every row of the table">
      <FormControlLabel
        disabled={disabled}
        control={<Checkbox size="small" checked={value} onChange={(_, checked) => onChange(checked)} />}
        label="Change every row"
      />
    </ErrorPanel>
  )
}
