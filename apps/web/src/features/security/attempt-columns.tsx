import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './security.module.css'
import { type Attempt, methodLabels } from './security-words.ts'

export const attemptColumns: readonly Column<Attempt>[] = [
  { id: 'time', header: 'Time', cell: (attempt) => <DateTime at={attempt.at} show="date-time" /> },
  {
    id: 'account',
    header: 'Account',
    share: '40%',
    onCard: true,
    cell: (attempt) => <Account attempt={attempt} />,
    text: ({ account }) => account,
  },
  { id: 'method', header: 'Method', cell: ({ method }) => methodLabels[method] },
  {
    id: 'outcome',
    header: 'Outcome',
    onCard: true,
    cell: ({ succeeded }) =>
      succeeded ? <StatusChip tone="success" label="Succeeded" /> : <StatusChip tone="error" label="Failed" />,
  },
  {
    id: 'reason',
    header: 'Reason',
    share: '60%',
    cell: ({ reason }) => reason ?? <span className={css['muted']}>–</span>,
    text: ({ reason }) => reason,
  },
  { id: 'address', header: 'Address', onCard: true, cell: ({ address }) => address },
  { id: 'device', header: 'Device', cell: ({ device }) => <bdi>{device}</bdi> },
]

/** Nobody has an account of their own with a key. */
function Account({ attempt: { account, method } }: { attempt: Attempt }) {
  if (account) return <bdi>{account}</bdi>
  return <span className={css['muted']}>{method === 'login' || method === 'api' ? '–' : 'No such account'}</span>
}
