import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSearch } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { DomainsFailure } from './DomainsFailure.tsx'
import { DomainsHeader } from './DomainsHeader.tsx'
import { type DomainAct, domainActions, siteAddress } from './domain-actions.ts'
import { domainColumns } from './domain-columns.tsx'
import { domainsList } from './domain-search.ts'
import { failureOf } from './domains-failure.ts'
import { QuotaMeter } from './QuotaMeter.tsx'
import { useDomainDenials } from './use-domain-denials.ts'

const Details = lazy(() => import('./DomainDetailsDialog.tsx').then((m) => ({ default: m.DomainDetailsDialog })))
const AddDomainDialog = lazy(() => import('./AddDomainDialog.tsx').then((m) => ({ default: m.AddDomainDialog })))
const BulkPurgeDialog = lazy(() => import('./BulkPurgeDialog.tsx').then((m) => ({ default: m.BulkPurgeDialog })))
const PurgeDialog = lazy(() => import('./PurgeDialog.tsx').then((m) => ({ default: m.PurgeDialog })))

const nameOf = (domain: Domain) => domain.name
const unit = ['domain', 'domains'] as const

export function DomainsPage() {
  const screen = useListScreen(domainsList)
  const { state, set, hrefFor, answer, error, query } = screen
  const [act, setAct] = useState<DomainAct>()
  const refresh = useCall(domains.refreshDomains, [domains.listDomains])
  const [failedFrom, setFailedFrom] = useState(0)
  const handleRefresh = (onSuccess: () => void = () => {}) => {
    const askedAt = Date.now()
    refresh.mutate({}, { onSuccess, onError: () => setFailedFrom(askedAt) })
  }
  const denials = useDomainDenials()
  const failure = failureOf(answer, { error, at: query.errorUpdatedAt }, { error: refresh.error, at: failedFrom })
  const isNotConnected = error?.code === 'not_connected'
  const closeAct = () => setAct(undefined)
  return (
    <>
      {screen.denial ? (
        <PageHeader title="Cloudflare Domains" />
      ) : (
        <DomainsHeader
          data={answer}
          failed={failure.error !== null}
          refreshing={refresh.isPending}
          onRefresh={() => handleRefresh()}
          addDenial={isNotConnected ? 'Cloudflare is not connected' : denials.write}
          onAdd={() => setAct({ kind: 'add' })}
        />
      )}
      {isNotConnected ? null : (
        <DomainsFailure
          error={failure.error}
          failedAt={failure.at}
          at={answer?.fetched_at ?? null}
          onRetry={() => handleRefresh(() => void query.refetch())}
        />
      )}
      <ListScreen
        screen={screen}
        label="Domains"
        unit={unit}
        columns={domainColumns}
        nameOf={nameOf}
        hrefOf={siteAddress}
        actionsOf={(domain) => domainActions(domain, { denials, hrefFor, onAct: setAct })}
        toolbar={<ListSearch screen={screen} label="Search domain, status or plan" />}
        bulkActs={[{ label: 'Purge Cache', denial: denials.write, dialog: (props) => <BulkPurgeDialog {...props} /> }]}
        failureOf="elsewhere"
        unloaded={isNotConnected ? notConnected : notLoaded}
        empty="No domains found"
        noMatch="No domains found matching your search"
        clearLabel="Clear search"
        details={({ id, onClose }) => (
          <Details id={id} tab={state.tab} onTab={(tab) => set({ tab })} onAct={setAct} onClose={onClose} />
        )}
      />
      {answer ? <QuotaMeter quota={answer.quota} /> : null}
      <Suspense>
        {act?.kind === 'add' ? <AddDomainDialog onClose={closeAct} /> : null}
        {act?.kind === 'purge' ? (
          <SectionBoundary resetKey={act.domain.id} onRetry={closeAct}>
            <PurgeDialog domain={act.domain} onClose={closeAct} />
          </SectionBoundary>
        ) : null}
      </Suspense>
    </>
  )
}

// The reason stands above, until it is dismissed.
const notLoaded = <EmptyState text="The domains could not be loaded." />

const notConnected = (
  <EmptyState
    title="Not connected"
    text="Add a Cloudflare API token to see your domains."
    action={<Button href={paths.config}>System Config</Button>}
  />
)
