import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import * as domains from '@agency/contract/descriptors/domains'
import * as zoneSettings from '@agency/contract/descriptors/zone-settings'
import type { RecordChange } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { Age } from '../../ui/Age.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { changeSentence } from './records/record-words.ts'
import css from './records/records.module.css'
import { useDomainDenials } from './use-domain-denials.ts'

/** Everything that a change of records or settings makes stale. */
export const changedReads = [
  dnsRecords.listDomainRecords,
  zoneSettings.listZoneSettings,
  domains.getDomain,
  domains.listDomains,
]

export type Done = (said: string, answer: ResponseOf<typeof dnsRecords.createRecord>) => void

/** The undo of the last change of a domain, and the toast that offers it. */
export function useUndoChange(zoneId: string) {
  const toast = useToast()
  const { mutate, isPending } = useCall(dnsRecords.undoRecordChange, changedReads)
  const undo = (change_id: string) =>
    mutate(
      { params: { id: zoneId }, body: { change_id } },
      { success: 'Undid the last change', failure: 'The change could not be undone' },
    )
  const handleDone: Done = (said, { change_id, undo_until }) =>
    toast.success(said, undo_until === null ? undefined : () => undo(change_id))
  return { undo, isPending, handleDone }
}

type Props = { change: RecordChange; undoing: Pick<ReturnType<typeof useUndoChange>, 'undo' | 'isPending'> }

/** The toast with its Undo leaves; here the change can be undone for its hour. */
export function LastChange({ change, undoing }: Props) {
  const denial = useDomainDenials().records
  return (
    <p className={css['last']}>
      <span>
        <bdi>{changeSentence(change)}</bdi> <Age at={change.at} />
      </span>
      {change.undo_until === null ? null : (
        <ReasonedButton
          size="small"
          blocked={denial}
          loading={undoing.isPending}
          onClick={() => undoing.undo(change.id)}
        >
          Undo
        </ReasonedButton>
      )}
    </p>
  )
}
