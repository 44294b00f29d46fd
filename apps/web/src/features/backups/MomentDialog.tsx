import * as backups from '@agency/contract/descriptors/backups'
import type { Backup } from '@agency/contract/types'
import { type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'

type MomentFields = { at: string; name: string }

/** As it is shown: UTC, to the second. */
const pattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const toInstant = (text: string): string | null => {
  const wanted = text.trim()
  const at = pattern.test(wanted) ? Date.parse(`${wanted.replace(' ', 'T')}Z`) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
const toText = (instant: string): string => instant.slice(0, 19).replace('T', ' ')

const problemsOf = ({ at, name }: MomentFields): Problems<MomentFields> => ({
  at: toInstant(at) === null ? 'Use the form 2026-11-21 14:05:00' : undefined,
  name: name.trim() === '' ? 'Enter a backup name' : undefined,
})

/** A full backup of the data as it was between two incremental ones: it is what can be restored. */
export function MomentDialog({ backup: { id, chain }, onClose }: { backup: Backup; onClose: () => void }) {
  const create = useCall(backups.createMoment, [backups.listBackups])
  const toast = useToast()
  const until = chain?.until ?? ''
  const form = useEditForm<MomentFields>({
    values: { at: toText(until), name: `Data of ${toText(until)}` },
    problemsOf,
    call: create,
  })
  const handleSubmit = ({ at, name }: MomentFields) =>
    create.mutate(
      { params: { id }, body: { at: toInstant(at) ?? until, name: name.trim() } },
      {
        onSuccess: () => {
          toast.success(`Backing up: ${name.trim()}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title="Full backup of a point in time"
      submitLabel="Create Backup"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        form={form}
        name="at"
        label="Date and time (UTC)"
        help={chain ? `Between ${formatDateTime(chain.from)} and the newest incremental backup` : undefined}
        disabled={false}
        autoFocus
      />
      <TextInput form={form} name="name" label="Backup name" disabled={false} inputProps={{ maxLength: 120 }} />
    </EditFormDialog>
  )
}
