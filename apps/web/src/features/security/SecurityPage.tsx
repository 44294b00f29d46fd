import * as security from '@agency/contract/descriptors/security'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { AdminScreenTabs } from '../../ui/AdminScreenTabs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { AttemptsTab } from './AttemptsTab.tsx'
import { ChecksTab } from './ChecksTab.tsx'
import { SessionsTab } from './SessionsTab.tsx'
import { type SecuritySearch, securitySearch } from './security-search.ts'

const contents = { checks: ChecksTab, sessions: SessionsTab, attempts: AttemptsTab }
const addresses: Record<SecuritySearch['tab'], string> = {
  checks: paths.security,
  sessions: paths.sessions,
  attempts: paths.signInAttempts,
}
const tabs = [
  { href: addresses.checks, label: 'Checks' },
  { href: addresses.sessions, label: 'Sessions' },
  { href: addresses.attempts, label: 'Sign-in attempts' },
]

export function SecurityPage() {
  const { state } = useSearchState(securitySearch)
  const denial = useDenial(security.getSecurityChecks)
  const Content = contents[state.tab]
  return (
    <>
      <PageHeader title="User & Role Management" summary="Sessions, sign-ins and security checks" />
      <AdminScreenTabs current={paths.security} />
      {denial ? (
        <EmptyState title="You may not see security" text={denial} />
      ) : (
        <>
          <SubTabLinks label="Security" tabs={tabs} current={addresses[state.tab]} />
          <Content />
        </>
      )}
    </>
  )
}
