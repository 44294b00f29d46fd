import { lazy, Suspense } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { denialOf, useSessionState } from '../../lib/session.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { MailHint } from './MailHint.tsx'
import { scheduleColumns } from './schedule-columns.tsx'
import { nameOf } from './schedule-words.ts'
import { schedulesList } from './schedules-list.ts'
import { useScheduleActs } from './use-schedule-acts.tsx'

const ScheduleDetails = lazy(() => import('./ScheduleDetails.tsx').then((m) => ({ default: m.ScheduleDetails })))

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
        above={<MailHint hasMailServer={hasMailServer} hasAddress={screen.answer?.has_address ?? true} />}
        toolbar={
          <AddButton blocked={denialOf('analytics.read', actor.permissions)} onClick={() => acts.add()}>
            Add schedule
          </AddButton>
        }
        empty={
          <EmptyState
            title="No schedules yet"
            text="Email reports every week or month. For reports to a customer, use the Reports tab of that customer."
          />
        }
        details={({ id, listed, onClose }) => (
          <Suspense>
            <ScheduleDetails id={id} schedule={listed} acts={acts} onClose={onClose} />
          </Suspense>
        )}
      />
      {acts.dialogs}
    </>
  )
}
