import { AppError, invalidParameter } from '../../../platform/errors.ts'
import { moneyText } from '../../../platform/money-text.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { agoText, openText } from './sentences.ts'

export type RefundablePayment = {
  status: string
  currency: string
  /** null: the provider did not say. */
  amount_captured: number | null
  amount_refunded: number | null
  amount_lost: number
  dispute_status: string | null
}

export type RefundSituation = {
  payment: RefundablePayment
  /** Refunds of this payment that are not settled yet, the newest first. */
  claims: readonly ActionRow[]
  lastDone: ActionRow | undefined
  nowMs: number
}

const conflict = (message: string): AppError => new AppError('conflict', message)

// The bank holds the money until it has decided; an inquiry (`warning_…`) may be settled by a refund.
const heldByBank = ['needs_response', 'under_review']

/** What a refund takes: what was asked, or all that is left. Throws the reason why it cannot be refunded. */
export function amountToRefund(asked: number | undefined, situation: RefundSituation): number {
  const { payment, claims } = situation
  if (asked !== undefined && !(Number.isSafeInteger(asked) && asked > 0))
    throw invalidParameter('amount', 'must be a whole number of minor units, more than 0')
  checkStatus(payment)
  const left = leftOf(payment)
  if (left <= 0) throw conflict(nothingLeft(situation))
  const claimed = claims.reduce((sum, claim) => sum + (claim.amount ?? 0), 0)
  const [newest] = claims
  if (newest && (asked === undefined || left - claimed <= 0))
    throw conflict(`${openText(newest, situation.nowMs)}. Wait for the outcome first.`)
  const amount = asked ?? left
  if (amount > left - claimed) throw invalidParameter('amount', tooMuch(amount, left - claimed, situation))
  return amount
}

const unsaid = 'Amount unknown: refund at Stripe'

function leftOf({ amount_captured, amount_refunded, amount_lost }: RefundablePayment): number {
  if (amount_captured === null || amount_refunded === null) throw conflict(unsaid)
  return amount_captured - amount_refunded - amount_lost
}

function checkStatus({ status, dispute_status }: RefundablePayment): void {
  if (status === 'failed') throw conflict('This payment failed: nothing to refund')
  if (status === 'uncaptured') throw conflict('This payment is not captured: no money was taken')
  if (status === 'unknown') throw conflict(unsaid)
  if (status !== 'succeeded' && status !== 'refunded')
    throw conflict(`This payment is ${status}: refund after it succeeds`)
  if (dispute_status !== null && heldByBank.includes(dispute_status))
    throw conflict('This payment is disputed: no refund while the bank decides')
}

function nothingLeft({ payment, lastDone, nowMs }: RefundSituation): string {
  if (payment.amount_lost > 0) return 'Lost in a dispute: nothing left to refund'
  const by = lastDone ? `, last by ${lastDone.actor_name} ${agoText(lastDone.created_at, nowMs)}` : ''
  return `This payment was already refunded in full${by}`
}

function tooMuch(amount: number, rest: number, { payment, claims, nowMs }: RefundSituation): string {
  const money = (value: number): string => moneyText(value, payment.currency)
  const why = claims[0] ? `: ${openText(claims[0], nowMs)}` : ''
  return `of ${money(amount)} is more than the ${money(rest)} that can be refunded${why}`
}
