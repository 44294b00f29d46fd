import type { SearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import type { customerSearch } from './customer-search.ts'

const statusChoices = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'pending', label: 'Pending' },
  { value: 'deleted', label: 'Deleted' },
]

const moneyChoices = [
  { value: '', label: 'All' },
  { value: 'yes', label: 'Owes money' },
]

type Props = { screen: SearchState<typeof customerSearch>; onAdvanced: () => void }

export function CustomersToolbar({ screen, onAdvanced }: Props) {
  return (
    <>
      <ListSearch screen={screen} label="Search name, email or company" />
      <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
      <ListSelect screen={screen} field="owes" label="Invoices" choices={moneyChoices} />
      <Button variant="outlined" startIcon={<Icon name="filter" />} aria-haspopup="dialog" onClick={onAdvanced}>
        Advanced Filters
      </Button>
    </>
  )
}
