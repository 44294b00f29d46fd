import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { acknowledgeReason } from './alert-actions.ts'
import { useAcknowledge } from './use-acknowledge.ts'

type Props = { selected: readonly Alert[]; onDone: () => void }

export function BulkActions({ selected, onDone }: Props) {
  const denial = useDenial(alerts.acknowledgeAlert)
  const { acknowledge, isPending } = useAcknowledge(onDone)
  const isDone = selected.every((alert) => acknowledgeReason(alert) !== undefined)
  const free = selected.filter(({ incident_id, status }) => incident_id === null && status !== 'resolved')
  return (
    <>
      <ReasonedButton
        size="small"
        variant="contained"
        blocked={denial ?? (isDone ? 'All are already acknowledged or resolved' : undefined)}
        loading={isPending ? 'Acknowledging' : false}
        onClick={() => acknowledge(selected)}
      >
        Acknowledge
      </ReasonedButton>
      {denial === undefined && free.length > 0 ? (
        <Button size="small" variant="outlined" href={paths.newIncident(free.map(({ id }) => id))}>
          Open incident
        </Button>
      ) : null}
    </>
  )
}
