import * as invoices from '@agency/contract/descriptors/invoices'
import type { ListedInvoice } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import type { Action } from '../../ui/action.ts'
import { useToast } from '../../ui/Toast.tsx'
import { type InvoiceAct, invoiceActions } from './invoice-columns.tsx'
import { invoiceName } from './invoice-words.tsx'

const InvoiceDialog = lazy(() => import('./InvoiceDialog.tsx').then((module) => ({ default: module.InvoiceDialog })))

/** Copies where the customer can pay, and says so. */
export function useCopyPaymentLink(): (invoice: ListedInvoice) => Promise<boolean> {
  const toast = useToast()
  return async (invoice) => {
    const isCopied = await copyText(invoice.hosted_invoice_url ?? '')
    if (isCopied) toast.success(`Copied the payment link of invoice ${invoiceName(invoice)}`)
    else toast.error('The browser did not allow copying. Open the invoice page and copy its address.')
    return isCopied
  }
}

type Acts = {
  /** The row menu of an invoice. */
  actionsOf: (invoice: ListedInvoice) => Action[]
  /** What is open of it. */
  dialog: ReactNode
}

/** What can be done with the invoices of a list, wherever it stands. */
export function useInvoiceActs(): Acts {
  const denial = useDenial(invoices.payInvoice)
  const { mode } = useSessionState()
  const [act, setAct] = useState<InvoiceAct>()
  const copyLink = useCopyPaymentLink()
  const close = () => setAct(undefined)
  return {
    actionsOf: (invoice) =>
      invoiceActions(invoice, { mode, denial, onAct: setAct, onCopyLink: (one) => void copyLink(one) }),
    dialog: <Suspense>{act ? <InvoiceDialog {...act} onDone={close} onClose={close} /> : null}</Suspense>,
  }
}
