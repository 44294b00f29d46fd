import { type ComponentType, lazy, Suspense } from 'react'
import { type CustomerReportParts, CustomerReportPartsProvider } from '../lib/customer-report-parts.ts'
import { SkeletonLines } from '../ui/Skeleton.tsx'

const CustomerSchedules = lazy(() =>
  import('../features/report-schedules/CustomerSchedules.tsx').then((m) => ({ default: m.CustomerSchedules })),
)

const parts: CustomerReportParts = {
  // Waits by itself, so that the dialog around it stays.
  CustomerSchedules: (props) => (
    <Suspense fallback={<SkeletonLines count={3} />}>
      <CustomerSchedules {...props} />
    </Suspense>
  ),
}

/** The page, which may show the reports that a customer gets by mail. */
export const withCustomerReports = (Page: ComponentType) =>
  function PageWithCustomerReports() {
    return (
      <CustomerReportPartsProvider value={parts}>
        <Page />
      </CustomerReportPartsProvider>
    )
  }
