import type { Invoice } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { useSessionState } from '../../lib/session.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { InvoiceLink } from './InvoiceLink.tsx'
import { invoiceChip } from './provider-words.ts'
import { StaticTable } from './StaticTable.tsx'

export function InvoicesTable({ invoices, empty }: { invoices: readonly Invoice[]; empty: string }) {
  return (
    <StaticTable
      label="Invoices"
      headers={['Invoice', 'Status', '>Due', '>Paid', '>Created', 'PDF']}
      empty={empty}
      rows={invoices.map((invoice) => ({
        id: invoice.id,
        cells: [
          <InvoiceLink key="link" invoice={invoice} />,
          <StatusChip key="status" {...invoiceChip(invoice.status)} title={attempts(invoice)} />,
          formatMoney(invoice.amount_due, invoice.currency),
          formatMoney(invoice.amount_paid, invoice.currency),
          <DateTime key="created" at={invoice.created_at} />,
          <Pdf key="pdf" invoice={invoice} />,
        ],
      }))}
    />
  )
}

function attempts({ attempt_count: count }: Invoice): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? 'One attempt to collect' : `${count} attempts to collect`
}

function Pdf({ invoice }: { invoice: Invoice }) {
  const href = providerLink(invoice.invoice_pdf, useSessionState().mode)
  if (!href) return <>–</>
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={`PDF of invoice ${invoice.number ?? invoice.id}`}>
      PDF
    </a>
  )
}
