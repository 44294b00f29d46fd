import type { ReportSchedule } from '@agency/contract/types'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { denialOf, useSessionState } from '../../lib/session.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { History } from './History.tsx'
import { NoMailServer } from './NoMailServer.tsx'
import { scheduleColumns } from './schedule-columns.tsx'
import { nameOf, receiverName, stateChips, warningsOf, whenText } from './schedule-words.ts'
import css from './schedules.module.css'
import { schedulesList } from './schedules-list.ts'
import { type ScheduleActs, useScheduleActs } from './use-schedule-acts.tsx'

/** Reports that are sent by mail. */
export function SchedulesTab() {
  const screen = useListScreen(schedulesList)
  const { actor } = useSessionState()
  const hasMailServer = screen.answer?.has_mail_server ?? true
  const acts = useScheduleActs(hasMailServer)
  return (
    <>
      <ListScreen
        screen={screen}
        label="Schedules"
        many="schedules"
        columns={scheduleColumns}
        nameOf={nameOf}
        actionsOf={acts.actionsOf}
        skeletonRows={3}
        withoutPager
        above={hasMailServer ? null : <NoMailServer />}
        toolbar={
          <ReasonedButton
            variant="contained"
            startIcon={<Icon name="add" />}
            aria-haspopup="dialog"
            blocked={denialOf('analytics.read', actor.permissions)}
            onClick={() => acts.add()}
          >
            Add schedule
          </ReasonedButton>
        }
        empty={
          <EmptyState
            title="No schedules yet"
            text="A report can be emailed every week or month. Reports to a customer are added under Customers, in the customer’s Reports tab."
          />
        }
        details={({ id, listed, onClose }) => (
          <ScheduleDetails id={id} schedule={listed} acts={acts} onClose={onClose} />
        )}
      />
      {acts.dialogs}
    </>
  )
}

type Props = { id: string; schedule: ReportSchedule | undefined; acts: ScheduleActs; onClose: () => void }

function ScheduleDetails({ id, schedule, acts, onClose }: Props) {
  if (!schedule)
    return (
      <DetailsDialog title="Schedule" onClose={onClose}>
        <EmptyState text="There is no such schedule, or you may not see it." />
      </DetailsDialog>
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
      <p className={css['muted']}>
        To{' '}
        {customer_id === null ? (
          <bdi>{schedule.receivers.map(receiverName).join(', ')}</bdi>
        ) : (
          <a href={`${paths.customers}?open=${encodeURIComponent(customer_id)}&tab=reports`}>
            <bdi>{schedule.receivers.map(receiverName).join(', ')}</bdi>
          </a>
        )}
        , by the permissions of <bdi>{owner}</bdi>
      </p>
      <History scheduleId={id} />
    </DetailsDialog>
  )
}
