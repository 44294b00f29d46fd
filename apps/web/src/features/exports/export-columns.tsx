import type { Exported } from '@agency/contract/types'
import { formatBytes, formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { ExportButton } from './ExportButton.tsx'
import { filtersText, formatLabels, stateChips } from './export-words.ts'
import css from './exports.module.css'

export const exportColumns: readonly Column<Exported>[] = [
  {
    id: 'what',
    header: 'Export',
    share: '45%',
    cell: (row) => <What row={row} />,
    text: (row) => [row.title, filtersText(row)].filter(Boolean).join(' · '),
  },
  { id: 'format', header: 'Format', cell: ({ format }) => formatLabels[format] },
  {
    id: 'state',
    header: 'State',
    onCard: true,
    share: '35%',
    cell: (row) => <State row={row} />,
    text: ({ reason }) => reason,
  },
  {
    id: 'rows',
    header: 'Rows',
    align: 'right',
    cell: ({ state, rows_done, is_cut }) =>
      state === 'queued' ? '' : `${formatCount(rows_done)}${is_cut ? ' of more' : ''}`,
  },
  { id: 'size', header: 'Size', align: 'right', cell: ({ bytes }) => (bytes === null ? '' : formatBytes(bytes)) },
  {
    id: 'by',
    header: 'Created by',
    share: '20%',
    cell: ({ made_by }) => <bdi>{made_by}</bdi>,
    text: ({ made_by }) => made_by,
  },
  {
    ...{ id: 'age', header: 'Started', align: 'right', onCard: true },
    cell: ({ created_at }) => <DateTime at={created_at} show="relative" />,
  },
  { id: 'action', header: 'Action', onCard: true, align: 'right', cell: (row) => <ExportButton row={row} /> },
]

function What({ row }: { row: Exported }) {
  const filters = filtersText(row)
  return (
    <>
      {row.title}
      {filters === '' ? null : <span className={css['filters']}> {filters}</span>}
    </>
  )
}

function State({ row }: { row: Exported }) {
  const { state, rows_done, rows_total, reason } = row
  return (
    <span className={css['state']}>
      <StatusChip {...stateChips[state]} />
      {state === 'running' ? (
        <progress
          className={css['bar']}
          aria-label="Rows written"
          {...(rows_total === null ? {} : { value: rows_done, max: Math.max(rows_total, 1) })}
        />
      ) : null}
      {reason === null ? null : <span className={css['reason']}>{reason}</span>}
    </span>
  )
}
