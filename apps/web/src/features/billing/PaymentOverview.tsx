import type { PaymentDetails } from '@agency/contract/types'
import { formatMoneyIfKnown } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { methodWords } from '../../lib/payment-methods.ts'
import { failureOf, purposeOf } from '../../lib/payment-words.ts'
import { CardFacts } from '../../ui/CardFacts.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { metadataPairs, Pairs } from '../../ui/Pairs.tsx'
import { OpenOutcomes } from './OpenOutcomes.tsx'

export function PaymentOverview({ payment }: { payment: PaymentDetails }) {
  const purpose = purposeOf(payment)
  const failure = failureOf(payment)
  const money = (amount: number | null) => formatMoneyIfKnown(amount, payment.currency)
  return (
    <>
      <OpenOutcomes actions={payment.actions} />
      {failure ? (
        <ErrorPanel tone={payment.status === 'failed' ? 'error' : 'warning'}>
          <bdi title={payment.failure_code ?? undefined}>{failure}</bdi>
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
          { label: 'Refundable', value: money(payment.refundable_amount) },
          {
            label: 'Method',
            value: payment.card ? <CardFacts card={payment.card} /> : methodWords(payment.payment_method_type),
          },
          { label: 'Date', value: <DateTime at={payment.created_at} show="date-time" /> },
          { label: 'Status at Stripe', value: payment.stripe_status },
          { label: 'Description', value: purpose ? <bdi>{purpose}</bdi> : null, wide: true },
          { label: 'Payment ID', value: null, id: payment.id, wide: true },
        ]}
      />
      <Pairs title="Metadata" pairs={metadataPairs(payment.metadata)} />
    </>
  )
}
