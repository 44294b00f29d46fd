import { type AmountRead, readWhole } from '../../../lib/amount-field.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import type { Option } from '../../../ui/SearchChoice.tsx'

export type PriceOption = Option & { isRecurring: boolean }

/** As they are typed. */
export type LinkFields = {
  price: PriceOption[]
  quantity: string
  isAdjustable: boolean
  takesCodes: boolean
  trialDays: string
}

export const newLink = (): LinkFields => ({
  ...{ price: [], quantity: '1', isAdjustable: false, takesCodes: false, trialDays: '0' },
})

const mostOfOne = 10_000
/** Stripe's own limit, where customers choose. */
const mostAdjustable = 99
const mostTrialDays = 730

const problemOf = (read: AmountRead | undefined): string | undefined =>
  read && 'problem' in read ? read.problem : undefined
const numberOf = (read: AmountRead | undefined, otherwise: number): number =>
  read && 'value' in read ? read.value : otherwise

export const isRecurring = ({ price }: Pick<LinkFields, 'price'>): boolean => price[0]?.isRecurring === true

function readAll(fields: LinkFields) {
  return {
    quantity: readWhole(fields.quantity, 1, fields.isAdjustable ? mostAdjustable : mostOfOne),
    trial: isRecurring(fields) ? readWhole(fields.trialDays, 0, mostTrialDays) : undefined,
  }
}

export function linkProblems(fields: LinkFields): Problems<LinkFields> {
  const { quantity, trial } = readAll(fields)
  return {
    price: fields.price.length === 0 ? 'Choose a price' : undefined,
    quantity: problemOf(quantity),
    trialDays: problemOf(trial),
  }
}

/** As the server takes it. */
export function linkOf(fields: LinkFields) {
  const { quantity, trial } = readAll(fields)
  return {
    ...{ price: fields.price[0]?.id ?? '', quantity: numberOf(quantity, 1), trial_days: numberOf(trial, 0) },
    ...{ adjustable_quantity: fields.isAdjustable, allow_promotion_codes: fields.takesCodes },
  }
}
