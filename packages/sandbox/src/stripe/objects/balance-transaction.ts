import type Stripe from 'stripe'
import type { Flat } from '../types.ts'

type BalanceTransaction = Flat<Stripe.BalanceTransaction>

const percentage = 0.029
const fixed: Record<string, number> = { usd: 30, eur: 25, gbp: 20, jpy: 0 }
const clearingSeconds = 2 * 86_400

const feeOn = (amount: number, currency: string) => Math.round(amount * percentage) + (fixed[currency] ?? 30)

/** A refund takes the amount back and leaves the fee paid, so it has none of its own. */
export function balanceTransaction(source: Record<string, unknown>, id: string): BalanceTransaction {
  const refund = source['object'] === 'refund'
  const amount = Number(source['amount']) * (refund ? -1 : 1)
  const currency = String(source['currency'])
  const created = Number(source['created'])
  const fee = refund ? 0 : feeOn(amount, currency)
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created + clearingSeconds,
    balance_type: 'payments',
    created,
    currency,
    description: typeof source['description'] === 'string' ? source['description'] : null,
    exchange_rate: null,
    fee,
    fee_details: refund
      ? []
      : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: refund ? 'refund' : 'charge',
    source: String(source['id']),
    status: 'available',
    type: refund ? 'refund' : 'charge',
  }
}

const disputeFee: Record<string, number> = { usd: 1500, eur: 1500, gbp: 1500, jpy: 1500 }

/** What a dispute takes at once with its fee, and what comes back of it when it is won. */
export function disputeTransaction(
  dispute: { id: string; amount: number; currency: string },
  { won, created }: { won: boolean; created: number },
): BalanceTransaction {
  const { currency } = dispute
  const fee = won ? 0 : (disputeFee[currency] ?? 1500)
  const amount = won ? dispute.amount : -dispute.amount
  return {
    id: `txn_${won ? 'won_' : ''}${dispute.id}`,
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency,
    description: won ? 'Chargeback reversal' : 'Chargeback withdrawal',
    exchange_rate: null,
    fee,
    fee_details: won
      ? []
      : [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: won ? 'dispute_reversal' : 'dispute',
    source: dispute.id,
    status: 'available',
    type: 'adjustment',
  }
}
