import type { InvoiceAction, ListedInvoice, SessionState } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { providerLink } from '../../lib/provider-link.ts'
import type { Action } from '../../ui/action.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { invoiceChip, invoiceName } from './invoice-words.tsx'

export type InvoiceAct = { act: InvoiceAction | 'email_link'; invoice: ListedInvoice }

const money = (field: 'amount_due' | 'amount_paid' | 'amount_remaining') => (row: ListedInvoice) =>
  formatMoney(row[field], row.currency)

export const invoiceColumns: readonly Column<ListedInvoice>[] = [
  {
    id: 'number',
    header: 'Invoice',
    share: '100%',
    cell: (row) => <bdi>{invoiceName(row)}</bdi>,
    text: (row) => row.description ?? invoiceName(row),
  },
  { id: 'status', header: 'Status', onCard: true, cell: ({ status }) => <StatusChip {...invoiceChip(status)} /> },
  { id: 'due', header: 'Amount due', align: 'right', onCard: true, cell: money('amount_due') },
  { id: 'paid', header: 'Paid', align: 'right', cell: money('amount_paid') },
  { id: 'remaining', header: 'Remaining', align: 'right', cell: money('amount_remaining') },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    cell: (row) => <DateTime at={row.created_at} />,
  },
  {
    id: 'due-date',
    header: 'Due',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={row.due_date} none="None" />,
  },
]

type Options = {
  mode: SessionState['mode']
  /** Why the actor may not change invoices, or undefined. */
  denial: string | undefined
  onAct: (act: InvoiceAct) => void
  onCopyLink: (invoice: ListedInvoice) => void
}

function link(label: string, address: string | null, mode: SessionState['mode']): Action {
  const href = providerLink(address, mode)
  return href ? { label, href, external: true } : { label, disabledReason: 'Not available yet' }
}

export function invoiceActions(invoice: ListedInvoice, { mode, denial, onAct, onCopyLink }: Options): Action[] {
  const { refusals, status } = invoice
  return [
    link('Open PDF', invoice.invoice_pdf, mode),
    link('Open invoice page', invoice.hosted_invoice_url, mode),
    {
      label: 'Copy payment link',
      disabledReason:
        status === 'open' && invoice.hosted_invoice_url ? undefined : 'Only open invoices can be paid by a link',
      onSelect: () => onCopyLink(invoice),
    },
    {
      label: 'Email payment link',
      disabledReason:
        denial ??
        (status === 'open' && invoice.hosted_invoice_url ? undefined : 'Only open invoices can be paid by a link'),
      onSelect: () => onAct({ act: 'email_link', invoice }),
    },
    {
      label: 'Charge now',
      divider: true,
      disabledReason: denial ?? refusals.pay ?? undefined,
      onSelect: () => onAct({ act: 'pay', invoice }),
    },
    {
      label: status === 'draft' ? 'Send' : 'Send again',
      disabledReason: denial ?? refusals.send ?? undefined,
      onSelect: () => onAct({ act: 'send', invoice }),
    },
    {
      label: 'Mark as paid',
      disabledReason: denial ?? refusals.mark_paid ?? undefined,
      onSelect: () => onAct({ act: 'mark_paid', invoice }),
    },
    {
      label: 'Mark uncollectible',
      destructive: true,
      disabledReason: denial ?? refusals.mark_uncollectible ?? undefined,
      onSelect: () => onAct({ act: 'mark_uncollectible', invoice }),
    },
    {
      label: 'Void',
      destructive: true,
      disabledReason: denial ?? refusals.void ?? undefined,
      onSelect: () => onAct({ act: 'void', invoice }),
    },
  ]
}
