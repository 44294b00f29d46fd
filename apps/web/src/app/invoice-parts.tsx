import { type ComponentType, lazy, Suspense } from 'react'
import { type InvoiceParts, InvoicePartsProvider } from '../lib/invoice-parts.ts'
import { SkeletonLines } from '../ui/Skeleton.tsx'

const InvoicesTab = lazy(() =>
  import('../features/invoices/InvoicesTab.tsx').then((module) => ({ default: module.InvoicesTab })),
)

const DunningTab = lazy(() =>
  import('../features/invoices/dunning/DunningTab.tsx').then((module) => ({ default: module.DunningTab })),
)
const DunningFigures = lazy(() =>
  import('../features/invoices/dunning/DunningFigures.tsx').then((module) => ({ default: module.DunningFigures })),
)

const parts: InvoiceParts = {
  SendInvoice: lazy(() =>
    import('../features/invoices/SendInvoiceDialog.tsx').then((module) => ({ default: module.SendInvoiceDialog })),
  ),
  ActOnOpenInvoice: lazy(() =>
    import('../features/invoices/OpenInvoiceDialog.tsx').then((module) => ({ default: module.OpenInvoiceDialog })),
  ),
  // Waits by itself, so that the dialog around it stays.
  CustomerInvoices: (props) => (
    <Suspense fallback={<SkeletonLines count={5} />}>
      <InvoicesTab {...props} />
    </Suspense>
  ),
  Dunning: (props) => (
    <Suspense fallback={<SkeletonLines count={8} height={40} />}>
      <DunningTab {...props} />
    </Suspense>
  ),
  DunningFigures: (props) => (
    <Suspense fallback={<SkeletonLines count={1} height={104} />}>
      <DunningFigures {...props} />
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
