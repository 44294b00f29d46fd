import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportSchedule } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import type { Action } from '../../ui/action.ts'
import { nameOf, nobodyLeft } from './schedule-words.ts'
import { scheduleReads } from './schedules-list.ts'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx').then((m) => ({ default: m.ScheduleDialog })))
const PreviewDialog = lazy(() => import('./PreviewDialog.tsx').then((m) => ({ default: m.PreviewDialog })))
const DeleteScheduleDialog = lazy(() =>
  import('./DeleteScheduleDialog.tsx').then((m) => ({ default: m.DeleteScheduleDialog })),
)

type Act = { kind: 'add'; customerId?: string } | { kind: 'edit' | 'preview' | 'delete'; schedule: ReportSchedule }

export type ScheduleActs = {
  add: (customerId?: string) => void
  actionsOf: (schedule: ReportSchedule) => readonly Action[]
  /** What is open. */
  dialogs: ReactNode
}

const noMailServer = 'Set the mail server under System Config first'

/** What can be done with schedules, wherever they are listed. */
export function useScheduleActs(hasMailServer: boolean): ScheduleActs {
  const [act, setAct] = useState<Act>()
  const send = useCall(reportSchedules.sendReportSchedule, scheduleReads)
  const pause = useCall(reportSchedules.pauseReportSchedule, scheduleReads)
  const resume = useCall(reportSchedules.resumeReportSchedule, scheduleReads)
  const close = () => setAct(undefined)

  const actionsOf = (schedule: ReportSchedule): readonly Action[] => {
    const { id, state, denial, problem } = schedule
    const name = nameOf(schedule)
    const denied = denial ?? undefined
    const resumeIt = () =>
      resume.mutate({ params: { id } }, { success: `Resumed: ${name}`, failure: `Not resumed: ${name}` })
    const stopped = state === 'stopped' ? `${problem ?? 'Stopped'}. Resume it first` : undefined
    return [
      {
        label: 'Send now',
        disabledReason: denied ?? stopped ?? nobodyLeft(schedule) ?? (hasMailServer ? undefined : noMailServer),
        onSelect: () => send.mutate({ params: { id } }, { success: `Sending: ${name}`, failure: `Not sent: ${name}` }),
      },
      { label: 'Preview', onSelect: () => setAct({ kind: 'preview', schedule }) },
      { label: 'Edit', disabledReason: denied, onSelect: () => setAct({ kind: 'edit', schedule }) },
      state === 'active'
        ? {
            ...{ label: 'Pause', disabledReason: denied },
            onSelect: () =>
              pause.mutate(
                { params: { id } },
                { success: (toast) => toast.success(`Paused: ${name}`, resumeIt), failure: `Not paused: ${name}` },
              ),
          }
        : {
            ...{ label: 'Resume', disabledReason: denied },
            onSelect: resumeIt,
          },
      {
        ...{ label: 'Delete', destructive: true, divider: true, disabledReason: denied },
        onSelect: () => setAct({ kind: 'delete', schedule }),
      },
    ]
  }

  const dialogs = (
    <Suspense>
      {act?.kind === 'add' ? (
        <ScheduleDialog {...(act.customerId !== undefined && { customerId: act.customerId })} onClose={close} />
      ) : null}
      {act?.kind === 'edit' ? <ScheduleDialog schedule={act.schedule} onClose={close} /> : null}
      {act?.kind === 'preview' ? <PreviewDialog order={orderOf(act.schedule)} onClose={close} /> : null}
      {act?.kind === 'delete' ? <DeleteScheduleDialog schedule={act.schedule} onClose={close} /> : null}
    </Suspense>
  )
  return {
    add: (customerId) => setAct(customerId === undefined ? { kind: 'add' } : { kind: 'add', customerId }),
    ...{ actionsOf, dialogs },
  }
}

const orderOf = ({ report, customer_id, cadence, time_zone, format }: ReportSchedule) => ({
  ...{ report, customer_id, cadence, time_zone, format },
})
