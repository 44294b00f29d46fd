import type { AccountType, CustomerStatus, TimelineKind } from '@agency/contract/types'
import { customerStatusChips } from '../../lib/customer-status.ts'
import { day, dayWords } from '../../lib/day-field.ts'
import { countryName, formatMoney } from '../../lib/format.ts'
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
const sortFields = ['created_at', 'name', 'total_revenue', 'last_payment_date'] as const
const sorts = sortFields.flatMap((field) => [field, `-${field}`] as const)

export const detailTabs = ['overview', 'sites', 'subscriptions', 'invoices', 'activity', 'notes'] as const

export const timelineKinds = [
  'payment',
  'refund',
  'dispute',
  'invoice',
  'subscription',
  'purchase',
  'deployment',
  'action',
  'note',
  'mail',
] as const satisfies readonly TimelineKind[]

/** What of the Activity Log is shown. */
export const timelineSearch = {
  kinds: someOf(timelineKinds, { keepsPage: true }),
  until: day({ keepsPage: true }),
}
export type TimelineState = StateOf<typeof timelineSearch>

export const customerSearch = {
  search: text(),
  status: oneOf(statuses, 'all'),
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

/** The details of a customer as they open; of an empty id: none. */
export const detailsOf = (open: string): Pick<CustomerSearch, 'open' | 'tab' | keyof TimelineState> => ({
  open,
  tab: 'overview',
  kinds: [],
  until: '',
})

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

export const noFilters = { search: '', status: 'all', ...noAdvancedFilters } as const satisfies Partial<CustomerSearch>

/** The filters as the list and the export take them. */
export function filtersOf(state: CustomerSearch) {
  return {
    status: state.status === 'all' ? undefined : state.status,
    search: state.search || undefined,
    account_type: state.account_type || undefined,
    plan: state.plan || undefined,
    country: /^[A-Za-z]{2}$/.test(state.country) ? state.country : undefined,
    revenue_min: state.revenue_min ?? undefined,
    revenue_max: state.revenue_max ?? undefined,
    created_from: state.created_from || undefined,
    created_to: state.created_to || undefined,
    last_payment_from: state.last_payment_from || undefined,
    last_payment_to: state.last_payment_to || undefined,
  }
}

export function advancedFiltersOf(state: AdvancedFilters): AdvancedFilters {
  return Object.fromEntries(advancedFields.map((field) => [field, state[field]])) as AdvancedFilters
}

export type FilterChip = { label: string; without: Partial<CustomerSearch> }

/** What narrows the list, each with the change that takes it away. The search box shows its own text. */
export function chipsOf(state: CustomerSearch, currency: string, planName: string | undefined): FilterChip[] {
  const chips: FilterChip[] = []
  const add = (label: string, ...fields: (keyof AdvancedFilters)[]) =>
    chips.push({ label, without: Object.fromEntries(fields.map((field) => [field, noAdvancedFilters[field]])) })
  if (state.status !== 'all') {
    chips.push({ label: `Status: ${customerStatusChips[state.status].label}`, without: { status: 'all' } })
  }
  if (state.account_type) add(`Account type: ${accountTypeLabels[state.account_type]}`, 'account_type')
  if (state.plan) add(`Plan: ${planName ?? state.plan}`, 'plan')
  if (state.country) add(`Country: ${countryName(state.country)}`, 'country')
  const money = (amount: number) => formatMoney(amount, currency)
  const revenue = rangeWords(state.revenue_min, state.revenue_max, money)
  if (revenue) add(`Revenue ${revenue}`, 'revenue_min', 'revenue_max')
  const created = rangeWords(state.created_from || null, state.created_to || null, dayWords)
  if (created) add(`Created ${created}`, 'created_from', 'created_to')
  const paid = rangeWords(state.last_payment_from || null, state.last_payment_to || null, dayWords)
  if (paid) add(`Last payment ${paid}`, 'last_payment_from', 'last_payment_to')
  return chips
}

function rangeWords<T>(from: T | null, to: T | null, words: (value: T) => string): string | undefined {
  if (from !== null && to !== null) return `${words(from)} – ${words(to)}`
  if (from !== null) return `from ${words(from)}`
  return to === null ? undefined : `up to ${words(to)}`
}
