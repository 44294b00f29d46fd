import type { Payment } from '@agency/contract/types'
import { dayWords } from '../../lib/day-field.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paymentStatusChips } from '../../lib/payment-status.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { type PaymentSearch, paymentFilters } from './billing-search.ts'

const labelOf = (status: Exclude<PaymentSearch['status'], 'all'>) =>
  status === 'disputed' ? 'Disputed' : paymentStatusChips[status].label

export const paymentStatusChoices: readonly Choice[] = paymentFilters.map((value) => ({
  value,
  label: value === 'all' ? 'All' : labelOf(value),
}))

export const noPaymentFilters = {
  search: '',
  status: 'all',
  customer: '',
  subscription: '',
  created_from: '',
  created_to: '',
} as const satisfies Partial<PaymentSearch>

type FilterChip = { label: string; without: Partial<PaymentSearch> }

export function paymentChips(state: PaymentSearch, rows: readonly Payment[] | undefined): FilterChip[] {
  const chips: FilterChip[] = []
  if (state.status !== 'all') chips.push({ label: `Status: ${labelOf(state.status)}`, without: { status: 'all' } })
  if (state.customer) {
    const row = rows?.find((each) => each.customer_id === state.customer)
    chips.push({ label: `Customer: ${row ? customerNameOf(row) : state.customer}`, without: { customer: '' } })
  }
  if (state.subscription) {
    chips.push({ label: `Subscription: ${state.subscription}`, without: { subscription: '' } })
  }
  if (state.created_from) {
    chips.push({ label: `From ${dayWords(state.created_from)}`, without: { created_from: '' } })
  }
  if (state.created_to) chips.push({ label: `Up to ${dayWords(state.created_to)}`, without: { created_to: '' } })
  return chips
}
