import type { ReportSchedule } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { History } from './History.tsx'
import { nameOf, receiversText, stateChips, warningsOf, whenText } from './schedule-words.ts'
import css from './schedules.module.css'
import { Unsubscribed } from './Unsubscribed.tsx'
import type { ScheduleActs } from './use-schedule-acts.tsx'

type Props = { id: string; schedule: ReportSchedule | undefined; acts: ScheduleActs; onClose: () => void }

export function ScheduleDetails({ id, schedule, acts, onClose }: Props) {
  if (!schedule)
    return (
      <DetailsDialog {...notFound('Schedule', "It may have been deleted, or you can't see it.")} onClose={onClose} />
    )
  const { customer_id, owner, state } = schedule
  return (
    <DetailsDialog
      title={nameOf(schedule)}
      marks={<StatusChip {...stateChips[state]} />}
      subtitle={whenText(schedule)}
      onClose={onClose}
      actions={<MoreMenu label="Actions" actions={acts.actionsOf(schedule)} />}
    >
      {warningsOf(schedule).map((warning) => (
        <p key={warning} role="note">
          {warning}
        </p>
      ))}
      <Unsubscribed receivers={schedule.receivers} />
      <p className={css['muted']}>
        To{' '}
        {customer_id === null ? (
          <bdi>{receiversText(schedule)}</bdi>
        ) : (
          <a href={`${paths.customers}?open=${encodeURIComponent(customer_id)}&tab=reports`}>
            <bdi>{receiversText(schedule)}</bdi>
          </a>
        )}
        , with the permissions of <bdi>{owner}</bdi>
      </p>
      <History scheduleId={id} />
    </DetailsDialog>
  )
}
