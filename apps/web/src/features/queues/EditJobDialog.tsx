import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJobDetails } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { jobReads } from './queue-search.ts'
import { jobName } from './queue-words.ts'

const title = 'Edit and retry'

type Fields = { data: string }

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const problemsOf = ({ data }: Fields) =>
  objectOf(data) === undefined ? { data: 'Enter a JSON object, such as {"id": "…"}' } : {}

/** The rows of the list have no data; it is loaded first. */
export function EditJobDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <EditDialog title={title} query={q(queues.getQueueJob, { params: { id } })} onClose={onClose}>
      {({ job }) => <Form job={job} onClose={onClose} />}
    </EditDialog>
  )
}

function Form({ job, onClose }: { job: QueueJobDetails; onClose: () => void }) {
  const edit = useCall(queues.editQueueJob, jobReads)
  const toast = useToast()
  const form = useEditForm<Fields>({
    values: { data: JSON.stringify(job.data, null, 2) },
    ...{ problemsOf, call: edit },
  })
  const handleSubmit = ({ data }: Fields) =>
    edit.mutate(
      { params: { id: job.id }, body: { data: objectOf(data) ?? {} } },
      {
        onSuccess: () => {
          toast.success(`Retrying with edited data: ${jobName(job)}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title={title}
      intro={`${jobName(job)} runs again with this data. The audit log keeps the data before.`}
      submitLabel="Retry with this data"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="data" label="Data (JSON)" multiline minRows={4} spellCheck={false} />
    </EditFormDialog>
  )
}
