import { isDay } from '../../lib/day-field.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { fieldToMoney, moneyToField } from '../../lib/format.ts'
import { type AdvancedFilters, advancedFiltersOf } from './customer-search.ts'

/** The filters as their fields hold them: amounts as typed, in major units. */
export type AdvancedFields = Omit<AdvancedFilters, 'revenue_min' | 'revenue_max'> & {
  revenue_min: string
  revenue_max: string
}

export function fieldsOf(state: AdvancedFilters, currency: string): AdvancedFields {
  const toField = (amount: number | null) => (amount === null ? '' : moneyToField(amount, currency))
  return {
    ...advancedFiltersOf(state),
    revenue_min: toField(state.revenue_min),
    revenue_max: toField(state.revenue_max),
  }
}

/** Undefined for what is no amount. */
const amountOf = (text: string, currency: string): number | null | undefined =>
  text.trim() === '' ? null : (fieldToMoney(text, currency) ?? undefined)

export function filtersOf(fields: AdvancedFields, currency: string): AdvancedFilters {
  const amount = (text: string) => amountOf(text, currency) ?? null
  return { ...fields, revenue_min: amount(fields.revenue_min), revenue_max: amount(fields.revenue_max) }
}

/** What is wrong with a range is told at its first field. */
export function advancedProblems(fields: AdvancedFields, currency: string): Problems<AdvancedFields> {
  return {
    revenue_min: revenueProblem(amountOf(fields.revenue_min, currency), amountOf(fields.revenue_max, currency)),
    created_from: rangeProblem(fields.created_from, fields.created_to),
    last_payment_from: rangeProblem(fields.last_payment_from, fields.last_payment_to),
  }
}

function revenueProblem(min: number | null | undefined, max: number | null | undefined): string | undefined {
  if (min === undefined || max === undefined) return 'Enter plain numbers, such as 1200 or 49.90'
  return min !== null && max !== null && min > max ? '"At least" cannot exceed "At most"' : undefined
}

function rangeProblem(from: string, to: string): string | undefined {
  if ([from, to].some((value) => value !== '' && !isDay(value))) return 'Choose days from 1/1/1900 to 12/31/2099'
  return from !== '' && to !== '' && from > to ? '"From" cannot be after "To"' : undefined
}
