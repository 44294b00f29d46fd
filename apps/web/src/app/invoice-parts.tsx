import { type ComponentType, lazy, Suspense } from 'react'
import { type InvoiceParts, InvoicePartsProvider } from '../lib/invoice-parts.ts'
import { SkeletonLines } from '../ui/Skeleton.tsx'

const InvoicesTab = lazy(() =>
  import('../features/invoices/InvoicesTab.tsx').then((module) => ({ default: module.InvoicesTab })),
)

const parts: InvoiceParts = {
  SendInvoice: lazy(() =>
    import('../features/invoices/SendInvoiceDialog.tsx').then((module) => ({ default: module.SendInvoiceDialog })),
  ),
  // Waits by itself, so that the dialog around it stays.
  CustomerInvoices: (props) => (
    <Suspense fallback={<SkeletonLines count={5} />}>
      <InvoicesTab {...props} />
    </Suspense>
  ),
}

/** The page, which may show what the invoices feature has. */
export const withInvoices = (Page: ComponentType) =>
  function PageWithInvoices() {
    return (
      <InvoicePartsProvider value={parts}>
        <Page />
      </InvoicePartsProvider>
    )
  }
