import type { ReportSchedule } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { deliveryChips, nameOf, receiversText, stateChips, warningsOf, whenText } from './schedule-words.ts'
import css from './schedules.module.css'

export const scheduleColumns: readonly Column<ReportSchedule>[] = [
  {
    id: 'report',
    header: 'Report',
    share: '50%',
    cell: (row) => <Person name={nameOf(row)} detail={whenText(row)} />,
    text: nameOf,
  },
  {
    id: 'to',
    header: 'To',
    share: '30%',
    cell: (row) => <bdi>{receiversText(row)}</bdi>,
    text: receiversText,
  },
  {
    id: 'state',
    header: 'State',
    onCard: true,
    title: (row) => warningsOf(row).join('. '),
    cell: (row) => <State row={row} />,
  },
  {
    ...{ id: 'next', header: 'Next', align: 'right', onCard: true },
    cell: ({ next_at }) => <DateTime at={next_at} show="date-time" none="—" />,
  },
  {
    ...{ id: 'last', header: 'Last sent', align: 'right' },
    cell: ({ last }) =>
      last?.state === 'failed' ? (
        <StatusChip {...deliveryChips.failed} title={last.reason ?? ''} />
      ) : (
        <DateTime at={last?.at ?? null} show="relative" />
      ),
  },
]

/** A state, and that it is not the whole of it. */
function State({ row }: { row: ReportSchedule }) {
  const warnings = warningsOf(row)
  const isHidden = row.state !== 'stopped' && warnings.length > 0
  return (
    <span className={css['chips']}>
      <StatusChip {...stateChips[row.state]} />
      {isHidden ? <StatusChip tone="warning" label="Problem" title={warnings.join('. ')} /> : null}
    </span>
  )
}
