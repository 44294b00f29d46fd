import type { PaymentDetails } from '@agency/contract/types'
import { formatMoneyIfKnown } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { metadataPairs, Pairs } from '../../ui/Pairs.tsx'
import { OpenOutcomes } from './OpenOutcomes.tsx'
import { methodWords } from './provider-words.ts'

export function PaymentOverview({ payment }: { payment: PaymentDetails }) {
  const money = (amount: number | null) => formatMoneyIfKnown(amount, payment.currency)
  return (
    <>
      <OpenOutcomes actions={payment.actions} />
      {payment.failure_message || payment.failure_code ? (
        <ErrorPanel tone={payment.status === 'failed' ? 'error' : 'warning'}>
          <bdi>{payment.failure_message ?? payment.failure_code}</bdi>
          {payment.failure_message && payment.failure_code ? ` (${payment.failure_code})` : null}
        </ErrorPanel>
      ) : null}
      <Facts
        facts={[
          {
            label: 'Customer',
            value: payment.customer_id ? (
              <a href={paths.customer(payment.customer_id)}>
                <bdi>{customerNameOf(payment)}</bdi>
              </a>
            ) : (
              customerNameOf(payment)
            ),
          },
          { label: 'Email', value: payment.customer_email ? <bdi>{payment.customer_email}</bdi> : null },
          { label: 'Amount', value: money(payment.amount) },
          { label: 'Refunded', value: money(payment.refunded_amount) },
          { label: 'Left to refund', value: money(payment.refundable_amount) },
          { label: 'Method', value: methodWords(payment.payment_method_type) },
          { label: 'Date', value: <DateTime at={payment.created_at} show="date-time" /> },
          { label: 'Status at Stripe', value: payment.stripe_status },
          { label: 'Description', value: payment.description ? <bdi>{payment.description}</bdi> : null, wide: true },
          { label: 'Payment ID', value: null, id: payment.id, wide: true },
        ]}
      />
      <Pairs title="Metadata" pairs={metadataPairs(payment.metadata)} />
    </>
  )
}
