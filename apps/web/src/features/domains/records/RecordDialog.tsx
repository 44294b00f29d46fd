import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord } from '@agency/contract/types'
import { useState } from 'react'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import type { Done } from '../LastChange.tsx'
import { RecordFields } from './RecordFields.tsx'
import { RecordImpact } from './RecordImpact.tsx'
import { inputOf, newRecord, problemsOf, shownOf, valuesOf } from './record-form.ts'
import { recordTitle } from './record-words.ts'

type Props = {
  zoneId: string
  domain: string
  /** The record as it was seen; none is added. */
  record?: DnsRecord
  /** Reads it from Cloudflare again. */
  reload: (id: string) => Promise<DnsRecord>
  onDone: Done
  onClose: () => void
}

export function RecordDialog(props: Props) {
  return props.record ? <EditRecordDialog {...props} record={props.record} /> : <AddRecordDialog {...props} />
}

function AddRecordDialog({ zoneId, domain, onDone, onClose }: Props) {
  const add = useCall(dnsRecords.createRecord, [dnsRecords.listDomainRecords], { isOneIntent: true })
  const form = useEditForm({ values: newRecord, problemsOf, call: add })
  return (
    <EditFormDialog
      form={form}
      title="Add DNS record"
      submitLabel="Add record"
      onSubmit={(values) =>
        add.mutate(
          { params: { id: zoneId }, body: { record: inputOf(values) } },
          {
            onSuccess: (answer) => {
              onDone(`Added ${answer.record ? recordTitle(answer.record) : 'the record'}`, answer)
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <RecordFields form={form} domain={domain} isNew />
      <RecordImpact form={form} zoneId={zoneId} record={undefined} />
    </EditFormDialog>
  )
}

function EditRecordDialog({ zoneId, domain, record, reload, onDone, onClose }: Props & { record: DnsRecord }) {
  const [seen, setSeen] = useState(record)
  const edit = useCall(dnsRecords.updateRecord, [dnsRecords.listDomainRecords], { isOneIntent: true })
  const form = useEditForm({
    values: valuesOf(record, domain),
    problemsOf,
    call: edit,
    reload: async () => {
      const now = await reload(record.id)
      setSeen(now)
      return valuesOf(now, domain)
    },
  })
  return (
    <EditFormDialog
      form={form}
      title={`Edit ${record.type} record`}
      submitLabel="Save"
      onSubmit={(values) =>
        edit.mutate(
          { params: { id: zoneId, record: record.id }, body: { shown: shownOf(seen), record: inputOf(values) } },
          {
            onSuccess: (answer) => {
              onDone(`Changed ${recordTitle(answer.record ?? record)}`, answer)
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <RecordFields form={form} domain={domain} isNew={false} />
      <RecordImpact form={form} zoneId={zoneId} record={record} />
    </EditFormDialog>
  )
}
