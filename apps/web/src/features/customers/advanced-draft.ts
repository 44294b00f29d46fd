import { isDay } from '../../lib/day-field.ts'
import { fieldToMoney, moneyToField } from '../../lib/format.ts'
import { type AdvancedFilters, advancedFiltersOf } from './customer-search.ts'

/** The filters as their fields hold them: amounts as typed, in major units. */
export type Draft = Omit<AdvancedFilters, 'revenue_min' | 'revenue_max'> & { revenue_min: string; revenue_max: string }

export function draftOf(state: AdvancedFilters, currency: string): Draft {
  const toField = (amount: number | null) => (amount === null ? '' : moneyToField(amount, currency))
  return {
    ...advancedFiltersOf(state),
    revenue_min: toField(state.revenue_min),
    revenue_max: toField(state.revenue_max),
  }
}

export type DraftProblems = Partial<Record<'revenue' | 'created' | 'lastPayment', string | undefined>>
type Read = { filters: AdvancedFilters | null; problems: DraftProblems }

export function readDraft(draft: Draft, currency: string): Read {
  const min = amountOf(draft.revenue_min, currency)
  const max = amountOf(draft.revenue_max, currency)
  const problems: DraftProblems = {}
  if (min === undefined || max === undefined) problems.revenue = 'Enter plain numbers, such as 1200 or 49.90'
  else if (min !== null && max !== null && min > max) problems.revenue = 'At least must not be more than at most'
  problems.created = rangeProblem(draft.created_from, draft.created_to)
  problems.lastPayment = rangeProblem(draft.last_payment_from, draft.last_payment_to)
  const fine = Object.values(problems).every((problem) => problem === undefined)
  return {
    filters: fine ? { ...draft, revenue_min: min ?? null, revenue_max: max ?? null } : null,
    problems,
  }
}

const amountOf = (text: string, currency: string): number | null | undefined =>
  text.trim() === '' ? null : (fieldToMoney(text, currency) ?? undefined)

function rangeProblem(from: string, to: string): string | undefined {
  if ([from, to].some((value) => value !== '' && !isDay(value))) return 'Choose days from 1/1/1900 to 12/31/2099'
  return from !== '' && to !== '' && from > to ? 'From must not be after to' : undefined
}
