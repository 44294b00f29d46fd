import type { SqlQuery } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './sql-console.module.css'
import { chipOf } from './sql-search.ts'

const kinds: Record<SqlQuery['kind'], string> = { read: '', explain: 'EXPLAIN ', write: 'Change: ' }

export const lineOf = ({ query, kind }: SqlQuery): string => `${kinds[kind]}${query.replaceAll(/\s+/g, ' ').trim()}`

/** The fields of an entry of the query history. */
export const historyColumns: readonly Column<SqlQuery>[] = [
  {
    ...{ id: 'query', header: 'Query', share: '100%', text: (row) => row.query },
    cell: (row) => <code className={css['code']}>{lineOf(row)}</code>,
  },
  {
    ...{ id: 'status', header: 'Status', onCard: true },
    cell: (row) => <StatusChip {...chipOf(row)} {...(row.error && { title: row.error })} />,
  },
  {
    ...{ id: 'rows', header: 'Rows', align: 'right', onCard: true },
    cell: ({ rows_affected: rows, truncated }) =>
      rows === null ? '' : `${formatCount(rows)}${truncated ? ' of more' : ''}`,
  },
  {
    ...{ id: 'time', header: 'Time', align: 'right' },
    cell: ({ execution_time: ms }) => (ms === null ? '' : formatDuration(ms)),
  },
  {
    ...{ id: 'at', header: 'Executed', align: 'right', onCard: true },
    cell: ({ executed_at: at }) => <DateTime at={at} show="relative" />,
  },
  {
    ...{ id: 'id', header: 'ID', text: ({ id }) => id },
    cell: ({ id }) => <code className={css['code']}>{id.slice(0, 8)}</code>,
  },
]
