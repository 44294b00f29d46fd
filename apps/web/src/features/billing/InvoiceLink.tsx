import type { Invoice } from '@agency/contract/types'
import { providerLink } from '../../lib/provider-link.ts'
import { useSessionState } from '../../lib/session.ts'

export function InvoiceLink({ invoice }: { invoice: Invoice }) {
  const href = providerLink(invoice.hosted_invoice_url, useSessionState().mode)
  const name = invoice.number ?? invoice.id
  if (!href) return <bdi>{name}</bdi>
  return (
    <a href={href} target="_blank" rel="noreferrer">
      <bdi>{name}</bdi>
    </a>
  )
}
