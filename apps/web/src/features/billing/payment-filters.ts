import type { Payment } from '@agency/contract/types'
import { dayWords } from '../../lib/day-field.ts'
import { chipsOf } from '../../lib/list/define-list.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paymentStatusChips } from '../../lib/payment-status.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { type PaymentSearch, paymentFilters, paymentSearch } from './billing-search.ts'

const labelOf = (status: Exclude<PaymentSearch['status'], 'all'>) =>
  status === 'disputed' ? 'Disputed' : paymentStatusChips[status].label

export const paymentStatusChoices: readonly Choice[] = paymentFilters.map((value) => ({
  value,
  label: value === 'all' ? 'All' : labelOf(value),
}))

export const paymentChips = (state: PaymentSearch, rows: readonly Payment[] | undefined) =>
  chipsOf(paymentSearch, state, {
    status: (status) => `Status: ${labelOf(status)}`,
    customer: (id) => {
      const row = rows?.find((each) => each.customer_id === id)
      return `Customer: ${row ? customerNameOf(row) : id}`
    },
    subscription: (id) => `Subscription: ${id}`,
    created_from: (from) => `From ${dayWords(from)}`,
    created_to: (to) => `Up to ${dayWords(to)}`,
  })
