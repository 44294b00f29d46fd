import type { Mail } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './settings.module.css'
import { mailChips } from './settings-words.ts'

export const mailColumns: readonly Column<Mail>[] = [
  {
    id: 'subject',
    header: 'Subject',
    share: '60%',
    cell: ({ subject }) => <bdi>{subject}</bdi>,
    text: ({ subject }) => subject,
  },
  { id: 'to', header: 'To', share: '40%', onCard: true, cell: ({ to }) => <bdi>{to}</bdi>, text: ({ to }) => to },
  { id: 'state', header: 'State', onCard: true, cell: ({ state }) => <StatusChip {...mailChips[state]} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    align: 'right',
    cell: ({ attempts }) => formatCount(attempts),
  },
  {
    id: 'error',
    header: 'Last error',
    cell: ({ error }) => (error ? <bdi>{error}</bdi> : <span className={css['muted']}>–</span>),
    text: ({ error }) => error,
  },
  {
    id: 'created',
    header: 'Written',
    align: 'right',
    onCard: true,
    cell: ({ created_at }) => <DateTime at={created_at} show="date-time" />,
  },
  {
    id: 'sent',
    header: 'Sent',
    align: 'right',
    cell: ({ sent_at }) => <DateTime at={sent_at} show="date-time" none="Not yet" />,
  },
]
