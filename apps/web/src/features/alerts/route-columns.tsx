import type { Route } from '@agency/contract/types'
import { alertSeverityChips } from '../../lib/alert-status.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

export const severityText = ({ min_severity }: Pick<Route, 'min_severity'>): string =>
  min_severity === 'info' ? 'Everything' : `${alertSeverityChips[min_severity].label} and above`

const namesOf = (some: readonly { name: string }[], all: string): string =>
  some.length === 0 ? all : some.map(({ name }) => name).join(', ')

const quietText = ({ quiet }: Route): string =>
  quiet === null ? 'None' : `${quiet.from} to ${quiet.until}, ${quiet.time_zone.replaceAll('_', ' ')}`

export const nameOfRoute = (route: Route): string => `${route.channel_name}: ${severityText(route)}`

export const routeColumns: readonly Column<Route>[] = [
  {
    id: 'channel',
    header: 'Channel',
    share: '40%',
    cell: (route) => <Person name={route.channel_name} detail={severityText(route)} />,
  },
  {
    id: 'state',
    header: 'State',
    onCard: true,
    cell: ({ is_enabled }) =>
      is_enabled ? <StatusChip label="On" tone="success" /> : <StatusChip label="Off" tone="neutral" />,
  },
  {
    id: 'customers',
    header: 'Customers',
    share: '30%',
    onCard: true,
    text: ({ customers }) => namesOf(customers, 'All'),
    cell: ({ customers }) => namesOf(customers, 'All'),
  },
  {
    id: 'plans',
    header: 'Plans',
    share: '30%',
    text: ({ plans }) => namesOf(plans, 'All'),
    cell: ({ plans }) => namesOf(plans, 'All'),
  },
  { id: 'quiet', header: 'Quiet hours', onCard: true, text: quietText, cell: quietText },
]
