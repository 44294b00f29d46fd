import * as audit from '@agency/contract/descriptors/audit'
import type { AuditEntry } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { AdminScreenTabs } from '../../ui/AdminScreenTabs.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { AuditToolbar } from './AuditToolbar.tsx'
import css from './audit.module.css'
import { auditColumns } from './audit-columns.tsx'
import { auditList, auditPaging } from './audit-list.ts'
import { auditSearch, chipsOf, filtersOf, noFilters } from './audit-search.ts'
import { ChainBar } from './ChainBar.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { useExport } from './use-export.ts'

const AuditEntryDialog = lazy(() => import('./AuditEntryDialog.tsx').then((m) => ({ default: m.AuditEntryDialog })))

const keyOf = (entry: AuditEntry) => entry.id
const nameOf = (entry: AuditEntry) => `${entry.action} by ${entry.user_name}`

export function AuditPage() {
  const { state } = useSearchState(auditSearch)
  const denial = useDenial(audit.listAudit)
  const exported = useExport()
  return (
    <>
      <PageHeader
        title="User & Role Management"
        summary="Every change, refusal and export, with who made it"
        actions={
          denial ? undefined : (
            <ExportMenu
              exporting={exported.entries !== null}
              onExport={(format) => exported.start(format, filtersOf(state))}
            />
          )
        }
      />
      <AdminScreenTabs current={paths.audit} />
      {exported.entries === null ? null : (
        <div className={css['export']}>
          <Progress label="Exporting the log" done={exported.entries} unit="entries" onCancel={exported.cancel} />
        </div>
      )}
      {denial ? <EmptyState title="You may not see the audit log" text={denial} /> : <AuditLog />}
    </>
  )
}

function AuditLog() {
  const { state, set, hrefFor } = useSearchState(auditSearch)
  const paging = usePaging(auditPaging)
  const list = useQuery({ ...auditList(paging.query, state), placeholderData: keepPreviousData })
  const rows = list.data?.entries
  const hrefOf = useCallback((row: AuditEntry) => hrefFor({ open: row.id }), [hrefFor])
  const chips = chipsOf(state, rows)
  const close = () => set({ open: '' })
  return (
    <>
      <ChainBar ready={rows !== undefined} hrefFor={(open) => hrefFor({ open })} />
      <ListFailure
        error={list.error}
        what="the audit log"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Audit log"
        columns={auditColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        skeletonRows={paging.size}
        toolbar={<AuditToolbar state={state} onChange={set} ready={rows !== undefined} />}
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noFilters)}
        empty={<NoEntries filtered={chips.length > 0 || state.search !== ''} onClear={() => set(noFilters)} />}
        error={list.isError && !rows ? <EmptyState text="No entries to show." /> : undefined}
      />
      <Suspense>
        {state.open ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <AuditEntryDialog
              id={state.open}
              listed={rows?.find((row) => row.id === state.open)}
              onOpen={(open) => set({ open })}
              onFilter={(filters) => set({ ...noFilters, ...filters, open: '' }, 'push')}
              onClose={close}
            />
          </SectionBoundary>
        ) : null}
      </Suspense>
    </>
  )
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState text="Nothing has been written to the audit log yet." />
  return <EmptyState text="No entries match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
}
