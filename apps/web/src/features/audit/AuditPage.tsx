import type { AuditEntry } from '@agency/contract/types'
import { lazy } from 'react'
import { useExport } from '../../lib/list/use-export.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { AdminScreenTabs } from '../../ui/AdminScreenTabs.tsx'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AuditToolbar } from './AuditToolbar.tsx'
import { auditColumns } from './audit-columns.tsx'
import { auditList } from './audit-list.ts'
import { auditChips, filtersOf } from './audit-search.ts'
import { ChainBar } from './ChainBar.tsx'

const AuditEntryDialog = lazy(() => import('./AuditEntryDialog.tsx').then((m) => ({ default: m.AuditEntryDialog })))

const nameOf = (entry: AuditEntry) => entry.details
const unit = ['entry', 'entries'] as const

export function AuditPage() {
  const screen = useListScreen(auditList)
  const { state, set, hrefFor, rows, denial } = screen
  const exported = useExport('audit', unit)
  return (
    <>
      <PageHeader
        title="User & Role Management"
        summary="Who changed, exported or was denied what"
        actions={
          denial ? undefined : (
            <ExportMenu
              title="All matching entries; JSON includes before and after"
              isPending={exported.isPending}
              formats={['csv', 'json', 'jsonl', 'xlsx', 'pdf']}
              onExport={(format) => exported.start(format, filtersOf(state))}
            />
          )
        }
      />
      <AdminScreenTabs current={paths.audit} />
      {denial ? null : <ChainBar ready={rows !== undefined} hrefFor={(open) => hrefFor({ open })} />}
      <ListScreen
        screen={screen}
        label="Audit log"
        many="entries"
        what="the audit log"
        denied="You may not see the audit log"
        columns={auditColumns}
        nameOf={nameOf}
        toolbar={<AuditToolbar screen={screen} ready={rows !== undefined} />}
        chips={auditChips(state, rows)}
        empty="No audit entries yet."
        details={(row) => (
          <AuditEntryDialog
            {...row}
            hrefFor={(open) => hrefFor({ open })}
            onOpen={screen.open}
            onFilter={(filters) => set({ ...auditList.noFilters, ...filters, open: '' }, 'push')}
          />
        )}
      />
    </>
  )
}
