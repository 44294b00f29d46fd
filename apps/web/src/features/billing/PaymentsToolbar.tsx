import type { SearchState } from '../../lib/use-search-state.ts'
import { ListDate, ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import type { paymentSearch } from './billing-search.ts'
import { paymentStatusChoices } from './payment-filters.ts'

export function PaymentsToolbar({ screen }: { screen: SearchState<typeof paymentSearch> }) {
  return (
    <>
      <ListSearch screen={screen} label="Search customer, email, description or id" />
      <ListSelect screen={screen} field="status" label="Status" choices={paymentStatusChoices} />
      <ListDate screen={screen} field="created_from" label="From" />
      <ListDate screen={screen} field="created_to" label="To" />
    </>
  )
}
