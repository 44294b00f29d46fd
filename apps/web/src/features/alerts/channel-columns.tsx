import type { Channel } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { Age } from '../../ui/Age.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { kindLabels } from './channel-fields.ts'

const stateOf = ({ is_enabled, failing_since, dead_since, last_sent_at }: Channel) => {
  if (!is_enabled) return { label: 'Off', tone: 'neutral' } as const
  if (dead_since !== null) return { label: 'Dead', tone: 'error' } as const
  if (failing_since !== null) return { label: 'Failing', tone: 'warning' } as const
  return last_sent_at === null
    ? ({ label: 'Not used yet', tone: 'neutral' } as const)
    : ({ label: 'Working', tone: 'success' } as const)
}

export const channelColumns: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: 'Channel',
    share: '60%',
    cell: ({ name, kind, target }) => <Person name={name} detail={`${kindLabels[kind]} · ${target}`} />,
  },
  {
    id: 'state',
    header: 'State',
    onCard: true,
    title: ({ last_error }) => last_error ?? '',
    cell: (channel) => <StatusChip {...stateOf(channel)} />,
  },
  {
    id: 'routes',
    header: 'Routes',
    onCard: true,
    cell: ({ routes, is_escalation }) =>
      [routes === 0 ? 'None' : formatCount(routes), is_escalation ? 'escalation' : ''].filter(Boolean).join(' · '),
  },
  {
    id: 'last',
    header: 'Last sent',
    align: 'right',
    cell: ({ last_sent_at }) => (last_sent_at === null ? 'Never' : <Age at={last_sent_at} />),
  },
  {
    id: 'error',
    header: 'Last failure',
    share: '40%',
    text: ({ last_error }) => last_error,
    cell: ({ last_error }) => last_error,
  },
]
