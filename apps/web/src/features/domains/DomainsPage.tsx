import * as domains from '@agency/contract/descriptors/domains'
import { useState } from 'react'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DomainDialogs } from './DomainDialogs.tsx'
import { DomainsTable } from './DomainsTable.tsx'
import type { DomainAct } from './domain-actions.ts'
import { domainSearch } from './domain-search.ts'

export function DomainsPage() {
  const denial = useDenial(domains.listDomains)
  const { state, set } = useSearchState(domainSearch)
  const [act, setAct] = useState<DomainAct>()
  if (denial) {
    return (
      <>
        <PageHeader title="Cloudflare Domains" />
        <EmptyState title="You may not see domains" text={denial} />
      </>
    )
  }
  return (
    <>
      <DomainsTable onAct={setAct} />
      <DomainDialogs
        open={state.open}
        tab={state.tab}
        onTab={(tab) => set({ tab })}
        onClose={() => set({ open: '', tab: 'overview' })}
        act={act}
        onAct={setAct}
      />
    </>
  )
}
