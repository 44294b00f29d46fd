import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import { saveText } from '../../../lib/download.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import css from './records.module.css'

type Props = {
  zoneId: string
  /** Why the actor may not change records, or undefined. */
  denial: string | undefined
  onAct: (kind: 'add' | 'import') => void
}

/** What can be done with all records of a domain. */
export function RecordActions({ zoneId, denial, onAct }: Props) {
  const file = useCall(dnsRecords.exportZoneFile)
  const handleExport = () =>
    file.mutate(
      { params: { id: zoneId } },
      { onSuccess: ({ name, text }) => saveText(name, text), failure: 'The records could not be exported' },
    )
  return (
    <div className={css['actions']}>
      <Button variant="outlined" size="small" loading={file.isPending} onClick={handleExport}>
        Export
      </Button>
      <ReasonedButton
        variant="outlined"
        size="small"
        aria-haspopup="dialog"
        blocked={denial}
        onClick={() => onAct('import')}
      >
        Import
      </ReasonedButton>
      <ReasonedButton
        variant="outlined"
        size="small"
        aria-haspopup="dialog"
        blocked={denial}
        onClick={() => onAct('add')}
      >
        Add record
      </ReasonedButton>
    </div>
  )
}
