import type { ListedInvoice } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { invoiceChip, invoiceName } from './invoice-words.tsx'
import css from './invoices.module.css'

export const newInvoice = 'new'

type Props = {
  invoices: readonly ListedInvoice[]
  /** An invoice's id, or `new`. */
  value: string
  onChange: (value: string) => void
}

/** A new invoice, or one that waits already. */
export function InvoiceChoice({ invoices, value, onChange }: Props) {
  return (
    <RadioGroup aria-label="Which invoice" value={value} onChange={(_, next) => onChange(next)}>
      <FormControlLabel value={newInvoice} control={<Radio size="small" />} label="A new invoice" />
      {invoices.map((invoice) => (
        <FormControlLabel
          key={invoice.id}
          value={invoice.id}
          disabled={invoice.refusals.send !== null}
          control={<Radio size="small" />}
          label={<Existing invoice={invoice} refusal={invoice.refusals.send} />}
        />
      ))}
    </RadioGroup>
  )
}

type ExistingProps = { invoice: ListedInvoice; refusal?: string | null }

/** An invoice among which one is chosen. */
export function Existing({ invoice, refusal }: ExistingProps) {
  const { amount_remaining, currency, due_date, created_at } = invoice
  const when = due_date ? `due ${formatDate(due_date)}` : `of ${formatDate(created_at)}`
  return (
    <span className={css['choice']}>
      <bdi>{invoiceName(invoice)}</bdi>
      <StatusChip {...invoiceChip(invoice.status)} />
      <span>
        {formatMoney(amount_remaining, currency)}, {when}
      </span>
      {refusal ? <span className={css['muted']}>{refusal}</span> : null}
    </span>
  )
}
