import { readAmount } from '../../../lib/amount-field.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import type { Option } from '../../../ui/SearchChoice.tsx'
import { readLimits } from './coupon-fields.ts'

/** As they are typed. */
export type CodeFields = {
  code: string
  redemptions: string
  lastDay: string
  isFirstOnly: boolean
  minimum: string
  currency: string
  customer: Option[]
}

export const newCode = (currency: string): CodeFields => ({
  ...{ code: '', redemptions: '', lastDay: '', isFirstOnly: false, minimum: '', currency, customer: [] },
})

const readMinimum = ({ minimum, currency }: CodeFields) =>
  minimum.trim() === '' ? undefined : readAmount(minimum, currency)

export function codeProblems(fields: CodeFields, now = Date.now()): Problems<CodeFields> {
  const minimum = readMinimum(fields)
  return {
    ...readLimits(fields, now).problems,
    code: /^[A-Za-z0-9-]*$/.test(fields.code.trim()) ? undefined : 'Letters, digits and dashes only',
    minimum: minimum && 'problem' in minimum ? minimum.problem : undefined,
  }
}

/** As the server takes it. */
export function codeOf(fields: CodeFields, now = Date.now()) {
  const { max_redemptions, end } = readLimits(fields, now)
  const minimum = readMinimum(fields)
  return {
    code: fields.code.trim() || undefined,
    ...{ max_redemptions, expires_at: end, first_time_only: fields.isFirstOnly, customer: fields.customer[0]?.id },
    minimum: minimum && 'value' in minimum ? { amount: minimum.value, currency: fields.currency } : undefined,
  }
}
