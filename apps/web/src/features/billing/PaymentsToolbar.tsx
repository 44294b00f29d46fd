import { FilterDate, FilterSelect } from '../../ui/FilterField.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { PaymentSearch } from './billing-search.ts'
import { paymentStatusChoices } from './payment-filters.ts'

type Props = { state: PaymentSearch; onChange: (change: Partial<PaymentSearch>) => void }

export function PaymentsToolbar({ state, onChange }: Props) {
  return (
    <>
      <SearchField
        label="Search customer, email, description or id"
        value={state.search}
        onSearch={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Status"
        value={state.status}
        choices={paymentStatusChoices}
        onChange={(status) => onChange({ status: status as PaymentSearch['status'] })}
      />
      <FilterDate label="From" value={state.created_from} onChange={(created_from) => onChange({ created_from })} />
      <FilterDate label="To" value={state.created_to} onChange={(created_to) => onChange({ created_to })} />
    </>
  )
}
