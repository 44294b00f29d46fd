import type { ReportSchedule } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { denialOf, useSessionState } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { History } from './History.tsx'
import { MailHint } from './MailHint.tsx'
import { stateChips, warningsOf, whenText } from './schedule-words.ts'
import css from './schedules.module.css'
import { schedulesQuery } from './schedules-list.ts'
import { Unsubscribed } from './Unsubscribed.tsx'
import { type ScheduleActs, useScheduleActs } from './use-schedule-acts.tsx'

/** The report that a customer gets by mail: their own figures, in the name of the agency. */
export function CustomerSchedules({ customerId }: { customerId: string }) {
  const query = useQuery(schedulesQuery(customerId))
  const { actor } = useSessionState()
  const schedules = query.data?.schedules
  const hasMailServer = query.data?.has_mail_server ?? true
  const acts = useScheduleActs(hasMailServer)
  return (
    <section aria-label="Website report by email">
      <h3 className={css['heading']}>Website report by email</h3>
      <p className={css['muted']}>Uptime, outages, incidents, deployments, visits and invoices of this customer.</p>
      <ListFailure
        error={query.error}
        what="the schedules"
        at={schedules ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {schedules === undefined && query.isPending ? <SkeletonLines count={2} /> : null}
      <MailHint hasMailServer={hasMailServer} hasAddress={query.data?.has_address ?? true} />
      {schedules?.map((schedule) => (
        <Schedule key={schedule.id} schedule={schedule} acts={acts} />
      ))}
      {schedules ? (
        <ReasonedButton
          variant="outlined"
          startIcon={<Icon name="add" />}
          aria-haspopup="dialog"
          blocked={denialOf('support.write', actor.permissions)}
          onClick={() => acts.add(customerId)}
        >
          Add schedule
        </ReasonedButton>
      ) : null}
      {acts.dialogs}
    </section>
  )
}

function Schedule({ schedule, acts }: { schedule: ReportSchedule; acts: ScheduleActs }) {
  const [isOpen, setOpen] = useState(false)
  const { id, cadence, state, next_at } = schedule
  return (
    <div className={css['schedule']}>
      <span className={css['chips']}>
        <strong>{cadence === 'weekly' ? 'Every week' : 'Every month'}</strong>
        <StatusChip {...stateChips[state]} />
      </span>
      <span className={css['muted']}>
        {whenText(schedule)}
        {next_at === null ? null : (
          <>
            {' '}
            · next <DateTime at={next_at} show="date-time" />
          </>
        )}
      </span>
      {warningsOf(schedule).map((warning) => (
        <p key={warning} role="note">
          {warning}
        </p>
      ))}
      <Unsubscribed receivers={schedule.receivers} />
      <span className={css['acts']}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          History
        </Button>
        <MoreMenu label={`Actions for: ${whenText(schedule)}`} actions={acts.actionsOf(schedule)} />
      </span>
      {isOpen ? <History scheduleId={id} /> : null}
    </div>
  )
}
