import type { FailedInvoice } from '@agency/contract/types'
import { cardText } from '../../../lib/cards.ts'
import { formatCount, formatMoney, formatMoneyWithCode } from '../../../lib/format.ts'
import { customerNameOf } from '../../../lib/names.ts'
import { paths } from '../../../lib/paths.ts'
import { failureOf } from '../../../lib/payment-words.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { personLines } from '../../../ui/Person.tsx'
import { invoiceName } from '../invoice-words.tsx'
import css from '../invoices.module.css'

/** Codes of refusals, in short. https://docs.stripe.com/declines/codes */
const reasons: Record<string, string> = {
  authentication_required: 'Customer must confirm',
  call_issuer: 'Declined by the bank',
  card_declined: 'Declined by the bank',
  card_not_supported: 'Card not supported',
  card_velocity_exceeded: 'Card limit exceeded',
  do_not_honor: 'Declined by the bank',
  expired_card: 'Card expired',
  fraudulent: 'Suspected fraud',
  generic_decline: 'Declined by the bank',
  incorrect_cvc: 'Wrong security code',
  incorrect_number: 'Wrong card number',
  insufficient_funds: 'Insufficient funds',
  invalid_account: 'Card or account invalid',
  lost_card: 'Card reported lost',
  pickup_card: 'Card blocked by the bank',
  processing_error: 'Processing error',
  stolen_card: 'Card reported stolen',
  withdrawal_count_limit_exceeded: 'Card limit exceeded',
}

const confirm = 'The bank wants the customer to confirm this payment'

/** Why the last try failed, in plain words. */
function reasonOf(row: FailedInvoice): string {
  if (row.needs_customer) return 'Customer must confirm'
  return reasons[row.failure_code ?? ''] ?? failureOf(row) ?? 'Stripe gave no reason'
}

/** The same as a sentence. */
const wholeReason = (row: FailedInvoice): string => (row.needs_customer ? confirm : (failureOf(row) ?? reasonOf(row)))

/** Stripe does not share its retry schedule: beyond the next try nothing is known. */
const triesLeft = ({ next_attempt_at }: FailedInvoice): string => (next_attempt_at === null ? 'None' : 'At least 1')

const triesText = ({ attempt_count: count }: FailedInvoice): string =>
  count === 1 ? '1 try failed' : `${formatCount(count)} tries so far`

export const dunningColumns: readonly Column<FailedInvoice>[] = [
  {
    id: 'customer',
    header: 'Customer',
    share: '30%',
    cell: (row) => personLines({ name: customerNameOf(row), detail: row.customer_email }),
    text: customerNameOf,
  },
  {
    id: 'reason',
    header: 'Decline reason',
    share: '45%',
    cell: (row) => (
      <span className={css['reason']}>
        <bdi>{reasonOf(row)}</bdi>
        {row.card ? <small>{cardText(row.card, Date.now())}</small> : null}
      </span>
    ),
    title: wholeReason,
    onCard: true,
  },
  {
    id: 'plan',
    header: 'Subscription',
    share: '25%',
    isForeign: true,
    cell: (row) =>
      row.subscription_id && row.plan_name ? (
        <a href={paths.subscription(row.subscription_id)}>
          <bdi>{row.plan_name}</bdi>
        </a>
      ) : (
        <span className={css['muted']}>–</span>
      ),
    text: ({ plan_name }) => plan_name,
  },
  {
    id: 'invoice',
    header: 'Invoice',
    cell: (row) =>
      row.customer_id ? (
        <a href={paths.customerInvoices(row.customer_id)}>
          <bdi>{invoiceName(row)}</bdi>
        </a>
      ) : (
        <bdi>{invoiceName(row)}</bdi>
      ),
    text: invoiceName,
  },
  {
    id: 'amount',
    header: 'At stake',
    align: 'right',
    sort: 'amount_remaining',
    sortFirst: 'descending',
    onCard: true,
    cell: (row) => formatMoney(row.amount_remaining, row.currency),
    title: (row) => formatMoneyWithCode(row.amount_remaining, row.currency),
  },
  {
    id: 'next',
    header: 'Next retry',
    align: 'right',
    sort: 'next_attempt_at',
    onCard: true,
    cell: (row) => DateTime({ at: row.next_attempt_at, none: 'None' }),
  },
  {
    id: 'tries',
    header: 'Tries left',
    align: 'right',
    cell: triesLeft,
    title: (row) => `${triesText(row)}. Stripe does not share its retry schedule beyond the next retry.`,
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    sort: 'created_at',
    sortFirst: 'descending',
    cell: (row) => DateTime({ at: row.created_at }),
  },
]
