import { readAmount } from '../../lib/amount-field.ts'
import { formatMoney } from '../../lib/format.ts'

export type RefundAmount = { ok: true; amount: number } | { ok: false; message: string }

/** Reads the amount field of a refund, and holds it against what is left to refund. */
export function readRefundAmount(text: string, currency: string, refundable: number): RefundAmount {
  const read = readAmount(text, currency)
  if ('problem' in read) return refuse(read.problem)
  if (read.value > refundable) return refuse(`At most ${formatMoney(refundable, currency)} can still be refunded`)
  return { ok: true, amount: read.value }
}

const refuse = (message: string): RefundAmount => ({ ok: false, message })
