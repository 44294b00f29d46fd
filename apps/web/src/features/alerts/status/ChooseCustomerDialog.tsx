import * as customers from '@agency/contract/descriptors/customers'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { nameOf } from '../../../lib/names.ts'
import { useRested } from '../../../lib/use-rested.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { type Option, SearchChoice } from '../../../ui/SearchChoice.tsx'

type Props = { onChoose: (id: string) => void; onClose: () => void }

export function ChooseCustomerDialog({ onChoose, onClose }: Props) {
  const [chosen, setChosen] = useState<Option[]>([])
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(customers.listCustomers, { query: { limit: 25, search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  const [first] = chosen
  const missing = isTried && !first ? 'Choose a customer' : undefined
  return (
    <FormDialog
      title="Add customer page"
      intro="Anyone with the address can see the page."
      submitLabel="Continue"
      onSubmit={() => (first ? onChoose(first.id) : setTried(true))}
      onClose={onClose}
    >
      <SearchChoice
        label="Customer"
        options={(data?.customers ?? []).map((customer) => ({
          id: customer.id,
          name: nameOf(customer),
          detail: customer.email,
        }))}
        chosen={chosen}
        isLoading={isFetching}
        problem={missing ?? (isError ? 'Customers could not be loaded' : undefined)}
        onSearch={setTyped}
        onChange={setChosen}
      />
    </FormDialog>
  )
}
