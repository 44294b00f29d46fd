import type { Payment } from '@agency/contract/types'
import { formatMoney, formatMoneyWithCode } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { methodWords } from '../../lib/payment-methods.ts'
import { purposeOf } from '../../lib/payment-words.ts'
import { CardFacts } from '../../ui/CardFacts.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { personLines } from '../../ui/Person.tsx'
import css from './billing.module.css'
import { PaymentChips } from './PaymentChips.tsx'

// Pieces without state are called, not mounted, and a cell holds no element more than it needs: they are most of what a table
// of a hundred rows costs.
export const paymentColumns: readonly Column<Payment>[] = [
  {
    id: 'customer',
    header: 'Customer',
    share: '55%',
    cell: (row) => personLines({ name: customerNameOf(row), detail: row.customer_email }),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    sort: 'amount',
    sortFirst: 'descending',
    onCard: true,
    cell: (row) => formatMoney(row.amount, row.currency),
    title: (row) => formatMoneyWithCode(row.amount, row.currency),
  },
  { id: 'status', header: 'Status', onCard: true, cell: (row) => PaymentChips({ payment: row }) },
  {
    id: 'method',
    header: 'Method',
    cell: (row) =>
      row.card
        ? CardFacts({ card: row.card, short: true })
        : (methodWords(row.payment_method_type) ?? <span className={css['muted']}>–</span>),
  },
  {
    id: 'description',
    header: 'Description',
    share: '45%',
    isForeign: true,
    cell: (row) => purposeOf(row) || <span className={css['muted']}>–</span>,
    text: purposeOf,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    sort: 'created_at',
    sortFirst: 'descending',
    onCard: true,
    cell: (row) => DateTime({ at: row.created_at, show: 'date-time' }),
  },
]
