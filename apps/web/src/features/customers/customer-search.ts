import type { AccountType, CustomerStatus, TimelineKind } from '@agency/contract/types'
import { customerStatusChips } from '../../lib/customer-status.ts'
import { day, dayWords } from '../../lib/day-field.ts'
import { countryName, formatMoney } from '../../lib/format.ts'
import { chipsOf, chosenOf, type FilterChip } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, someOf, text, whole } from '../../lib/search-state.ts'
import { lifecycleActs } from './lifecycle/acts.ts'

export const accountTypeLabels: Record<AccountType, string> = {
  enterprise: 'Enterprise',
  professional: 'Professional',
  starter: 'Starter',
  free: 'Free',
}
const accountTypes = Object.keys(accountTypeLabels) as AccountType[]
const statuses = ['all', 'active', 'suspended', 'cancelled', 'pending', 'deleted'] as const satisfies readonly (
  | 'all'
  | CustomerStatus
)[]
const sortFields = ['created_at', 'name', 'total_revenue', 'last_payment_date', 'owes'] as const
const sorts = sortFields.flatMap((field) => [field, `-${field}`] as const)

export const detailTabs = [
  'overview',
  'sites',
  'subscriptions',
  'payments',
  'invoices',
  'reports',
  'activity',
  'notes',
] as const

export const timelineKinds = [
  'payment',
  'refund',
  'dispute',
  'invoice',
  'subscription',
  'purchase',
  'deployment',
  'alert',
  'action',
  'note',
  'mail',
] as const satisfies readonly TimelineKind[]

/** What of the Activity Log is shown. */
export const timelineSearch = {
  kinds: someOf(timelineKinds, { keepsPage: true }),
  until: day({ keepsPage: true }),
  find: text('', { keepsPage: true }),
}
export type TimelineState = StateOf<typeof timelineSearch>

export const customerSearch = {
  search: text(),
  status: oneOf(statuses, 'all'),
  owes: oneOf(['', 'yes'], ''),
  sort: oneOf(sorts, '-created_at'),
  account_type: oneOf(['', ...accountTypes], ''),
  plan: text(),
  country: text(),
  revenue_min: whole(),
  revenue_max: whole(),
  created_from: day(),
  created_to: day(),
  last_payment_from: day(),
  last_payment_to: day(),
  open: text('', { keepsPage: true }),
  tab: oneOf(detailTabs, 'overview', { keepsPage: true }),
  /** What to do to which account: the dialog lies over the screen, and does nothing by itself. */
  act: oneOf(['', ...lifecycleActs], '', { keepsPage: true }),
  who: text('', { keepsPage: true }),
  /** Whom to impersonate: the dialog lies over the screen. */
  impersonate: text('', { keepsPage: true }),
  ...timelineSearch,
}

export type CustomerSearch = StateOf<typeof customerSearch>

export type AdvancedFilters = Pick<CustomerSearch, (typeof advancedFields)[number]>

const advancedFields = [
  'account_type',
  'plan',
  'country',
  'revenue_min',
  'revenue_max',
  'created_from',
  'created_to',
  'last_payment_from',
  'last_payment_to',
] as const

export const noAdvancedFilters: AdvancedFilters = {
  account_type: '',
  plan: '',
  country: '',
  revenue_min: null,
  revenue_max: null,
  created_from: '',
  created_to: '',
  last_payment_from: '',
  last_payment_to: '',
}

export const customerFilters = ['search', 'status', 'owes', ...advancedFields] as const

/** The filters as the list and the export take them. */
export function filtersOf(state: CustomerSearch) {
  const { country, ...others } = chosenOf(customerSearch, state, customerFilters)
  return { ...others, country: country && /^[A-Za-z]{2}$/.test(country) ? country : undefined }
}

export function advancedFiltersOf(state: AdvancedFilters): AdvancedFilters {
  return Object.fromEntries(advancedFields.map((field) => [field, state[field]])) as AdvancedFilters
}

export function customerChips(
  state: CustomerSearch,
  currency: string,
  planName: string | undefined,
): FilterChip<typeof customerSearch>[] {
  const money = (amount: number) => formatMoney(amount, currency)
  const rangeChip = (words: string, from: keyof AdvancedFilters, to: keyof AdvancedFilters, range?: string) =>
    range
      ? [{ label: `${words} ${range}`, without: { [from]: noAdvancedFilters[from], [to]: noAdvancedFilters[to] } }]
      : []
  const days = (from: string, to: string) => rangeWords(from || null, to || null, dayWords)
  return [
    ...chipsOf(customerSearch, state, {
      status: (status) => `Status: ${customerStatusChips[status].label}`,
      owes: () => 'Owes money',
      account_type: (type) => `Account type: ${accountTypeLabels[type]}`,
      plan: (plan) => `Plan: ${planName ?? plan}`,
      country: (country) => `Country: ${countryName(country)}`,
    }),
    ...rangeChip('Revenue', 'revenue_min', 'revenue_max', rangeWords(state.revenue_min, state.revenue_max, money)),
    ...rangeChip('Created', 'created_from', 'created_to', days(state.created_from, state.created_to)),
    ...rangeChip(
      'Last payment',
      'last_payment_from',
      'last_payment_to',
      days(state.last_payment_from, state.last_payment_to),
    ),
  ]
}

function rangeWords<T>(from: T | null, to: T | null, words: (value: T) => string): string | undefined {
  if (from !== null && to !== null) return `${words(from)} – ${words(to)}`
  if (from !== null) return `from ${words(from)}`
  return to === null ? undefined : `up to ${words(to)}`
}
