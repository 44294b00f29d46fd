import type { MaintenanceWindow } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { effectsOf, reachText, stateChips } from './maintenance-words.ts'

export const maintenanceColumns: readonly Column<MaintenanceWindow>[] = [
  {
    id: 'title',
    header: 'Maintenance',
    share: '70%',
    cell: ({ title, created_by }) => <Person name={title} detail={`Planned by ${created_by}`} />,
  },
  { id: 'state', header: 'State', onCard: true, cell: ({ state }) => <StatusChip {...stateChips[state]} /> },
  {
    id: 'from',
    header: 'From',
    align: 'right',
    onCard: true,
    cell: (w) => <DateTime at={w.starts_at} show="date-time" />,
  },
  { id: 'to', header: 'To', align: 'right', onCard: true, cell: (w) => <DateTime at={w.ends_at} show="date-time" /> },
  { id: 'sites', header: 'Sites', share: '30%', title: namesOf, cell: (w) => <Person name={reachText(w)} /> },
  { id: 'effect', header: 'Effect', cell: (w) => <Effects effects={effectsOf(w)} /> },
]

function Effects({ effects: [first = 'None', second] }: { effects: readonly string[] }) {
  return <Person name={first} detail={second ?? null} />
}

const shownNames = 20

function namesOf({ sites }: MaintenanceWindow): string {
  const names = sites.slice(0, shownNames).map(({ site_name }) => site_name)
  return [...names, ...(sites.length > shownNames ? ['…'] : [])].join(', ') || 'All sites'
}
