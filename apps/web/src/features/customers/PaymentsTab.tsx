import * as invoices from '@agency/contract/descriptors/invoices'
import type { Payment, SavedMethod } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { methodWords } from '../../lib/payment-methods.ts'
import { paymentMarks, paymentStatusChips } from '../../lib/payment-status.ts'
import { failureOf, purposeOf } from '../../lib/payment-words.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { CardFacts } from '../../ui/CardFacts.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './customers.module.css'

const nameOf = (row: Payment) => formatMoney(row.amount, row.currency)

const columns: readonly Column<Payment>[] = [
  { id: 'amount', header: 'Amount', cell: nameOf },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: (row) => (
      <span className={css['chips']}>
        <StatusChip {...paymentStatusChips[row.status]} title={failureOf(row) ?? undefined} />
        {paymentMarks(row).map((mark) => (
          <StatusChip key={mark.label} {...mark} />
        ))}
      </span>
    ),
  },
  {
    id: 'method',
    header: 'Method',
    onCard: true,
    cell: (row) => (row.card ? <CardFacts card={row.card} short /> : (methodWords(row.payment_method_type) ?? '–')),
  },
  {
    id: 'description',
    header: 'Description',
    share: '100%',
    isForeign: true,
    cell: (row) => purposeOf(row) ?? '–',
    text: purposeOf,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={row.created_at} show="date-time" />,
  },
]

const keyOf = (row: Payment) => row.id
const hrefOf = (row: Payment) => paths.payment(row.id)

type Props = {
  customerId: string
  /** The newest ones. */
  payments: readonly Payment[]
}

/** What a customer pays with, and what was paid. */
export function PaymentsTab({ customerId, payments }: Props) {
  const denial = useDenial(invoices.listPaymentMethods)
  if (denial) return <EmptyState compact title="You may not see payments" text={denial} />
  return (
    <>
      <SavedMethods customerId={customerId} />
      <DataTable
        label="Payments"
        columns={columns}
        rows={payments}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        empty={<EmptyState compact text="No payments yet." />}
      />
      {payments.length > 0 ? (
        <p className={css['all']}>
          <a href={paths.paymentsOf(customerId)}>All payments of this customer</a>
        </p>
      ) : null}
    </>
  )
}

function SavedMethods({ customerId }: { customerId: string }) {
  const { data, error, refetch } = useQuery({
    ...q(invoices.listPaymentMethods, { params: { id: customerId } }),
    staleTime: 0,
  })
  return (
    <section className={css['methods']} aria-labelledby="saved-methods">
      <h3 id="saved-methods">Saved payment methods</h3>
      {error && !data ? <SectionError error={error as ApiError} onRetry={() => void refetch()} /> : null}
      {data ? <Methods methods={data.methods} /> : error ? null : <SkeletonLines count={1} height={24} />}
    </section>
  )
}

function Methods({ methods }: { methods: readonly SavedMethod[] }) {
  if (methods.length === 0) return <p className={css['muted']}>No saved card or account.</p>
  return (
    <ul>
      {methods.map((method) => (
        <li key={method.id}>
          <CardFacts card={method} otherwise={methodWords(method.type) ?? 'Saved method'} />
          {method.is_default ? <StatusChip tone="info" label="Default" /> : null}
        </li>
      ))}
    </ul>
  )
}
