import { createdAt, currencyOf, type Fields, idOf, instant, neededAmount, text } from '../fields.ts'
import { parseDecimal, toDecimal } from '../rational.ts'

export type BalanceTransactionRow = {
  id: string
  type: string
  category: string
  source_id: string | null
  amount: number
  fee: number
  net: number
  currency: string
  exchange_rate: string | null
  status: string
  created_at: string
  available_at: string | null
}

function rateOf(value: unknown): string | null {
  const rate = parseDecimal(value)
  return rate && toDecimal(rate)
}

export const toBalanceTransaction = (object: Fields): BalanceTransactionRow => ({
  id: String(object['id']),
  type: text(object['type']) ?? 'unknown',
  category: text(object['reporting_category']) ?? text(object['type']) ?? 'unknown',
  source_id: idOf(object['source']),
  amount: neededAmount(object),
  fee: neededAmount(object, 'fee'),
  net: neededAmount(object, 'net'),
  currency: currencyOf(object),
  exchange_rate: rateOf(object['exchange_rate']),
  status: text(object['status']) ?? 'unknown',
  created_at: createdAt(object),
  available_at: instant(object['available_on']),
})
