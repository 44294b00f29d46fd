import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { CustomersTabs } from './CustomersTabs.tsx'

export function ImpersonationTab() {
  return (
    <>
      <PageHeader title="Customers" />
      <CustomersTabs current={paths.impersonation} />
      <EmptyState
        title="User Impersonation"
        text="Signing in as a customer is not built yet, so there are no impersonation sessions to show."
      />
    </>
  )
}
