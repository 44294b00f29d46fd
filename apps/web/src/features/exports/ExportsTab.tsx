import { chipsOf } from '../../lib/list/define-list.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { exportColumns } from './export-columns.tsx'
import { nameOf, stateChips } from './export-words.ts'
import { exportSearch, exportsList } from './exports-list.ts'

const unit = ['export', 'exports'] as const
const choices = [
  { value: 'all', label: 'All' },
  ...Object.entries(stateChips).map(([value, { label }]) => ({ value, label })),
]

/** What was exported lately: how far it is, and the file for as long as it is kept. */
export function ExportsTab() {
  const screen = useListScreen(exportsList)
  return (
    <ListScreen
      screen={screen}
      label="Exports"
      unit={unit}
      columns={exportColumns}
      nameOf={nameOf}
      toolbar={<ListSelect screen={screen} field="state" label="State" choices={choices} />}
      chips={chipsOf(exportSearch, screen.state, { state: (state) => `State: ${stateChips[state].label}` })}
      empty={<EmptyState title="No exports yet" text="Press Export on any list. Files are kept for 24 hours." />}
    />
  )
}
