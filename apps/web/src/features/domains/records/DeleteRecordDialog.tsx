import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import type { Done } from '../LastChange.tsx'
import { impactSentences, recordTitle } from './record-words.ts'

type Props = {
  zoneId: string
  /** As the list shows it now: what stands in the dialog is what is deleted. */
  record: DnsRecord
  /** Somebody was faster: the list is read again. */
  onConflict: () => void
  onDone: Done
  onClose: () => void
}

export function DeleteRecordDialog({ zoneId, record, onConflict, onDone, onClose }: Props) {
  const preview = useQuery(q(dnsRecords.previewRecord, { params: { id: zoneId }, query: { record: record.id } }))
  const remove = useCall(dnsRecords.deleteRecord, [dnsRecords.listDomainRecords], { isOneIntent: true })
  const impact = preview.data
    ? impactSentences(preview.data, false)
    : preview.isError
      ? ['What this affects could not be loaded']
      : []
  return (
    <ConfirmDialog
      title="Delete DNS record"
      consequences={[
        <>
          Deletes {recordTitle(record)} <bdi>({[record.priority, record.content].filter(Boolean).join(' ')})</bdi>
        </>,
        ...impact,
        'Can be undone for an hour, until another record of this domain is changed',
      ]}
      awaited={preview.isLoading ? 1 : 0}
      confirmLabel={`Delete ${record.type} record`}
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id: zoneId }, body: { shown: record } },
          {
            onSuccess: (answer) => {
              onDone(`Deleted ${recordTitle(record)}`, answer)
              onClose()
            },
            onError: ({ status }) => {
              if (status === 409) onConflict()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
