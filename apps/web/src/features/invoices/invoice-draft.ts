import { currencyDigits, fieldToMoney, formatCount, formatMoney } from '../../lib/format.ts'

export type LineDraft = { key: number; description: string; amount: string; quantity: string }
export type Draft = { lines: readonly LineDraft[]; days: string; memo: string }

export type LineProblems = { description?: string; amount?: string; quantity?: string }
export type Problems = { lines: Record<number, LineProblems>; days?: string; total?: string }
export type Order = {
  lines: { description: string; unit_amount: number; quantity: number }[]
  days_until_due: number
  memo?: string
}
export type ReadDraft = { ok: true; order: Order } | { ok: false; problems: Problems }

const maxAmount = 99_999_999
const maxQuantity = 10_000
const maxDays = 365
/** The provider charges these in steps of ten of their smallest unit. */
const inTens = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

export const emptyLine = (key: number): LineDraft => ({ key, description: '', amount: '', quantity: '1' })
export const emptyDraft: Draft = { lines: [emptyLine(0)], days: '30', memo: '' }

type Read = { value: number } | { problem: string }
const wrong = (problem: string): Read => ({ problem })

// `12,30` must not become 1,230: a comma is read only where it groups thousands.
const wellFormed = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$/

/** Reads an amount exactly, without floating point. */
export function readAmount(text: string, currency: string): Read {
  const clean = text.trim()
  if (clean === '') return wrong('Enter an amount')
  if (/^[-−–]/.test(clean)) return wrong('Enter an amount above zero')
  const digits = currencyDigits(currency)
  const code = currency.toUpperCase()
  if (!wellFormed.test(clean))
    return wrong(`Enter a plain number, such as ${digits === 0 ? '12' : `12.${'3'.padEnd(digits, '0')}`}`)
  const value = fieldToMoney(clean, currency)
  if (value === null) return wrong(digits === 0 ? `${code} has no decimals` : `${code} has at most ${digits} decimals`)
  if (value === 0) return wrong('Enter an amount above zero')
  if (inTens.has(currency) && value % 10 !== 0) return wrong(`Stripe takes ${code} with two decimals only`)
  return value > maxAmount ? wrong(`At most ${formatMoney(maxAmount, currency)}`) : { value }
}

function readWhole(text: string, least: number, most: number): Read {
  const clean = text.trim()
  if (!/^\d{1,9}$/.test(clean)) return wrong('Enter a whole number')
  const value = Number(clean)
  if (value < least) return wrong(`At least ${least}`)
  return value > most ? wrong(`At most ${formatCount(most)}`) : { value }
}

function readLine(line: LineDraft, currency: string) {
  const amount = readAmount(line.amount, currency)
  const quantity = readWhole(line.quantity, 1, maxQuantity)
  const description = line.description.trim()
  const problems: LineProblems = {
    ...(description === '' && { description: 'Say what it is for' }),
    ...('problem' in amount && { amount: amount.problem }),
    ...('problem' in quantity && { quantity: quantity.problem }),
  }
  return {
    problems,
    line: {
      description,
      unit_amount: 'value' in amount ? amount.value : 0,
      quantity: 'value' in quantity ? quantity.value : 0,
    },
  }
}

/** What the lines add up to, as far as they can be read. */
export const sumOf = ({ lines }: Draft, currency: string): number =>
  lines
    .map((line) => readLine(line, currency).line)
    .reduce((sum, { unit_amount, quantity }) => sum + unit_amount * quantity, 0)

export function readDraft(draft: Draft, currency: string): ReadDraft {
  const read = draft.lines.map((line) => ({ key: line.key, ...readLine(line, currency) }))
  const days = readWhole(draft.days, 0, maxDays)
  const bad = read.filter(({ problems }) => Object.keys(problems).length > 0)
  const sum = sumOf(draft, currency)
  const problems: Problems = {
    lines: Object.fromEntries(bad.map(({ key, problems: each }) => [key, each])),
    ...('problem' in days && { days: days.problem }),
    ...(sum > maxAmount && { total: `An invoice may add up to at most ${formatMoney(maxAmount, currency)}` }),
  }
  if (bad.length > 0 || problems.days || problems.total || !('value' in days)) return { ok: false, problems }
  const memo = draft.memo.trim()
  return {
    ok: true,
    order: { lines: read.map(({ line }) => line), days_until_due: days.value, ...(memo && { memo }) },
  }
}
