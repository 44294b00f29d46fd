import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { ResponseOf } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { DomainsFailure } from './DomainsFailure.tsx'
import { DomainsHeader } from './DomainsHeader.tsx'
import { type DomainAct, domainActions, siteAddress } from './domain-actions.ts'
import { domainColumns } from './domain-columns.tsx'
import { type DomainSearch, domainSearch, domainsList, domainsPaging } from './domain-search.ts'
import { QuotaMeter } from './QuotaMeter.tsx'
import { useDomainDenials } from './use-domain-denials.ts'

const keyOf = (domain: Domain) => domain.id
const nameOf = (domain: Domain) => domain.name
const unit = ['domain', 'domains'] as const

type ListAnswer = ResponseOf<typeof domains.listDomains>

type Failed = { error: Error | null; at: number }

/** What went wrong last, whoever it went wrong for. A refresh that failed is over once a later one brought rows. */
function failureOf(data: ListAnswer | undefined, list: Failed, refresh: Failed) {
  const isOver = data !== undefined && Date.parse(data.fetched_at) > refresh.at
  if (refresh.error && !isOver) return { error: refresh.error as ApiError, at: refresh.at }
  if (list.error) return { error: list.error as ApiError, at: list.at }
  return data?.problem ? { error: data.problem, at: data.problem.at } : { error: null, at: null }
}

export function DomainsTable({ onAct }: { onAct: (act: DomainAct) => void }) {
  const { state, set, hrefFor } = useSearchState(domainSearch)
  const paging = usePaging(domainsPaging)
  const list = useQuery({ ...domainsList(paging.query, state), placeholderData: keepPreviousData })
  const refresh = useCall(domains.refreshDomains, [domains.listDomains])
  const [failedFrom, setFailedFrom] = useState(0)
  const handleRefresh = (onSuccess: () => void = () => {}) => {
    const askedAt = Date.now()
    refresh.mutate({}, { onSuccess, onError: () => setFailedFrom(askedAt) })
  }
  const denials = useDomainDenials()
  const { data } = list
  const rows = data?.domains
  const failure = failureOf(
    data,
    { error: list.error, at: list.errorUpdatedAt },
    { error: refresh.error, at: failedFrom },
  )
  const isNotConnected = (list.error as ApiError | null)?.code === 'not_connected'
  const hrefOf = useCallback((domain: Domain) => siteAddress(domain), [])
  return (
    <>
      <DomainsHeader
        data={data}
        failed={failure.error !== null}
        refreshing={refresh.isPending}
        onRefresh={() => handleRefresh()}
      />
      {isNotConnected ? null : (
        <DomainsFailure
          error={failure.error}
          failedAt={failure.at}
          at={data?.fetched_at ?? null}
          onRetry={() => handleRefresh(() => void list.refetch())}
        />
      )}
      <DataTable
        label="Domains"
        columns={domainColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(domain) => domainActions(domain, { denials, hrefFor, onAct })}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as DomainSearch['sort'] })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), data?.has_more ?? false)}
        total={data?.total}
        unit={unit}
        skeletonRows={paging.size}
        toolbar={
          <SearchField
            label="Search domain, status or plan"
            value={state.search}
            onSearch={(search) => set({ search })}
          />
        }
        empty={<NoDomains searching={state.search !== ''} onClear={() => set({ search: '' })} />}
        error={list.isError && !rows ? <NoRows isNotConnected={isNotConnected} /> : undefined}
      />
      {data ? <QuotaMeter quota={data.quota} /> : null}
    </>
  )
}

function NoDomains({ searching, onClear }: { searching: boolean; onClear: () => void }) {
  if (!searching) return <EmptyState text="No domains found" />
  return (
    <EmptyState text="No domains found matching your search" action={<Button onClick={onClear}>Clear search</Button>} />
  )
}

function NoRows({ isNotConnected }: { isNotConnected: boolean }) {
  if (!isNotConnected) return <EmptyState text="No domains to show." />
  return (
    <EmptyState
      title="Not connected"
      text="Cloudflare is not connected. Set an API token to see the domains that it holds."
      action={<Button href={paths.config}>System Config</Button>}
    />
  )
}
