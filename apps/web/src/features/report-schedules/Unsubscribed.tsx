import type { ReportSchedule } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import { receiverName } from './schedule-words.ts'

/** Who wants no more mails of a schedule. Nobody but they themselves can undo that. */
export function Unsubscribed({ receivers }: Pick<ReportSchedule, 'receivers'>) {
  return receivers.map((receiver) =>
    receiver.unsubscribed_at === null ? null : (
      <p key={receiver.id} role="note">
        <bdi>{receiverName(receiver)}</bdi> unsubscribed <DateTime at={receiver.unsubscribed_at} show="date-time" />.
        Only the link in their emails undoes this.
      </p>
    ),
  )
}
