import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ViewedInvoice } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { usePaging } from '../../lib/use-paging.ts'
import type { Tone } from '../../theme/palette.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { ViewList } from './ViewList.tsx'
import { viewPaging } from './view-search.ts'

// To a customer an invoice that the agency has given up is as open as before.
const statuses: Record<string, { label: string; tone: Tone }> = {
  open: { label: 'Open', tone: 'warning' },
  uncollectible: { label: 'Open', tone: 'warning' },
  paid: { label: 'Paid', tone: 'success' },
  void: { label: 'Void', tone: 'neutral' },
}

const nameOf = ({ number, id }: ViewedInvoice) => number ?? id

const columns: readonly Column<ViewedInvoice>[] = [
  { id: 'number', header: 'Invoice', share: '100%', cell: (row) => <bdi>{nameOf(row)}</bdi>, text: nameOf },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: ({ status }) => <StatusChip {...(statuses[status] ?? { label: status, tone: 'neutral' })} />,
  },
  {
    id: 'due',
    header: 'Amount',
    align: 'right',
    onCard: true,
    cell: (row) => <Money amount={row.amount_due} currency={row.currency} />,
  },
  {
    id: 'rest',
    header: 'Amount due',
    align: 'right',
    cell: (row) => <Money amount={row.status === 'void' ? 0 : row.amount_remaining} currency={row.currency} />,
  },
  {
    id: 'created',
    header: 'Date',
    align: 'right',
    onCard: true,
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
  { id: 'pdf', header: 'PDF', align: 'right', cell: (row) => <Pdf invoice={row} /> },
]

function Pdf({ invoice }: { invoice: ViewedInvoice }) {
  const href = providerLink(invoice.invoice_pdf)
  if (!href) return '–'
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={`PDF of invoice ${nameOf(invoice)}`}>
      PDF
    </a>
  )
}

export function ViewInvoices({ id }: { id: string }) {
  const paging = usePaging(viewPaging)
  const list = useQuery({
    ...q(impersonation.viewInvoices, { params: { id }, query: paging.query }),
    placeholderData: keepPreviousData,
  })
  return (
    <ViewList
      list={list}
      rows={list.data?.invoices}
      paging={paging}
      columns={columns}
      nameOf={nameOf}
      what="Invoices"
      none="No invoices yet."
    />
  )
}
