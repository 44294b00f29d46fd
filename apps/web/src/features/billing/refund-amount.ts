import { currencyDigits, fieldToMoney, formatMoney } from '../../lib/format.ts'

export type RefundAmount = { ok: true; amount: number } | { ok: false; message: string }

// `12,30` must not become 1,230: a comma is read only where it groups thousands.
const wellFormed = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$/

/** Reads the amount field of a refund exactly, without floating point, and holds it against what is left to refund. */
export function readRefundAmount(text: string, currency: string, refundable: number): RefundAmount {
  const clean = text.trim()
  if (clean === '') return refuse('Enter an amount')
  if (/^[-−–]/.test(clean)) return refuse('Enter an amount above zero')
  const digits = currencyDigits(currency)
  const code = currency.toUpperCase()
  const example = digits === 0 ? '12' : `12.${'3'.padEnd(digits, '0')}`
  if (!wellFormed.test(clean)) return refuse(`Enter a plain number, such as ${example}`)
  const amount = fieldToMoney(clean, currency)
  if (amount === null) {
    return refuse(digits === 0 ? `${code} has no decimals` : `${code} has at most ${digits} decimals`)
  }
  if (amount === 0) return refuse('Enter an amount above zero')
  if (amount > refundable) return refuse(`At most ${formatMoney(refundable, currency)} can still be refunded`)
  return { ok: true, amount }
}

const refuse = (message: string): RefundAmount => ({ ok: false, message })
