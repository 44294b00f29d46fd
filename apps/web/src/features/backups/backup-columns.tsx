import type { Backup } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { causeTexts, sizeText, stateChips, typeLabels } from './backup-words.ts'
import css from './backups.module.css'

export const backupColumns: readonly Column<Backup>[] = [
  { id: 'name', header: 'Name', share: '50%', cell: ({ name }) => <bdi>{name}</bdi>, text: ({ name }) => name },
  { id: 'type', header: 'Type', cell: ({ type }) => typeLabels[type] },
  {
    ...{ id: 'size', header: 'Size', align: 'right', onCard: true },
    cell: ({ size }) => (size === null ? '' : sizeText(size)),
  },
  {
    ...{ id: 'date', header: 'Date', align: 'right', onCard: true },
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
  {
    ...{ id: 'state', header: 'State', onCard: true, share: '35%' },
    cell: (row) => <State row={row} />,
    text: ({ reason }) => reason,
  },
  {
    ...{ id: 'by', header: 'Made by', share: '15%' },
    cell: (row) => <bdi>{madeBy(row)}</bdi>,
    text: madeBy,
  },
]

function madeBy({ cause, made_by }: Backup): string {
  return cause === 'asked' ? made_by : causeTexts[cause]
}

function State({ row: { state, reason } }: { row: Backup }) {
  return (
    <span className={css['state']}>
      <StatusChip {...stateChips[state]} />
      {reason === null ? null : <span className={css['reason']}>{reason}</span>}
    </span>
  )
}
