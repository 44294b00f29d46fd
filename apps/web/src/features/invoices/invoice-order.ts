import { type AmountRead, readAmount as readPlainAmount, readWhole } from '../../lib/amount-field.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { formatMoney } from '../../lib/format.ts'

type LineFields = { description: string; amount: string; quantity: string }
/** As they are typed. */
export type InvoiceFields = { lines: LineFields[]; days: string; memo: string }

export type Order = {
  lines: { description: string; unit_amount: number; quantity: number }[]
  days_until_due: number
  memo?: string
}
type Read = { order: Order; problems?: undefined } | { order?: undefined; problems: Problems<InvoiceFields> }

const maxAmount = 99_999_999
const maxQuantity = 10_000
const maxDays = 365
/** The provider charges these in steps of ten of their smallest unit. */
const inTens = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

export const emptyLine: LineFields = { description: '', amount: '', quantity: '1' }
export const emptyInvoice: InvoiceFields = { lines: [emptyLine], days: '30', memo: '' }

/** Reads the amount of a line, as the provider takes it. */
export function readAmount(text: string, currency: string): AmountRead {
  const read = readPlainAmount(text, currency)
  if ('problem' in read) return read
  const { value } = read
  if (inTens.has(currency) && value % 10 !== 0)
    return { problem: `Stripe takes ${currency.toUpperCase()} with two decimals only` }
  return value > maxAmount ? { problem: `At most ${formatMoney(maxAmount, currency)}` } : { value }
}

function readLine(line: LineFields, currency: string) {
  const amount = readAmount(line.amount, currency)
  const quantity = readWhole(line.quantity, 1, maxQuantity)
  const description = line.description.trim()
  return {
    problems: {
      description: description === '' ? 'Enter a description' : undefined,
      amount: 'problem' in amount ? amount.problem : undefined,
      quantity: 'problem' in quantity ? quantity.problem : undefined,
    },
    line: {
      description,
      unit_amount: 'value' in amount ? amount.value : 0,
      quantity: 'value' in quantity ? quantity.value : 0,
    },
  }
}

/** What the lines add up to, as far as they can be read. */
export const sumOf = (lines: readonly LineFields[], currency: string): number =>
  lines
    .map((line) => readLine(line, currency).line)
    .reduce((sum, { unit_amount, quantity }) => sum + unit_amount * quantity, 0)

/** The order in minor units, or what is wrong by field; of the sum at `lines`. */
export function readInvoice({ lines, days: daysText, memo: memoText }: InvoiceFields, currency: string): Read {
  const read = lines.map((line) => readLine(line, currency))
  const days = readWhole(daysText, 0, maxDays)
  const isTooMuch = sumOf(lines, currency) > maxAmount
  const told = [
    ['lines', isTooMuch ? `An invoice may add up to at most ${formatMoney(maxAmount, currency)}` : undefined],
    ...read.flatMap(({ problems }, at) =>
      Object.entries(problems).map(([field, text]) => [`lines.${at}.${field}`, text]),
    ),
    ['days', 'problem' in days ? days.problem : undefined],
  ].filter(([, text]) => text !== undefined)
  if (told.length > 0 || !('value' in days)) return { problems: Object.fromEntries(told) }
  const memo = memoText.trim()
  return { order: { lines: read.map(({ line }) => line), days_until_due: days.value, ...(memo && { memo }) } }
}
