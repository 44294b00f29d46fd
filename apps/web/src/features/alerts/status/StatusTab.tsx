import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { StatusPage } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../../lib/list/use-list-screen.ts'
import { useDenial } from '../../../lib/session.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListScreen } from '../../../ui/list/ListScreen.tsx'
import { AlertsHeader } from '../AlertsHeader.tsx'
import { statusPagesList } from '../alerts-search.ts'
import { pageColumns } from './page-columns.tsx'
import { ownerOf } from './page-fields.ts'

const StatusPageDialog = lazy(() => import('./StatusPageDialog.tsx').then((m) => ({ default: m.StatusPageDialog })))
const ChooseCustomerDialog = lazy(() =>
  import('./ChooseCustomerDialog.tsx').then((m) => ({ default: m.ChooseCustomerDialog })),
)

/** What the public sees: which pages are on, and what they show. */
export function StatusTab() {
  const screen = useListScreen(statusPagesList)
  const denial = useDenial(statusPages.saveStatusPage)
  const [act, setAct] = useState<{ kind: 'choose' } | { kind: 'edit'; id: string }>()
  const on = screen.rows?.filter(({ is_on }) => is_on).length
  const edit = ({ id }: Pick<StatusPage, 'id'>) => setAct({ kind: 'edit', id })
  return (
    <>
      <AlertsHeader
        tab="status"
        summary={screen.denial ? undefined : on === undefined ? '' : `${on} of ${screen.rows?.length ?? 0} pages on`}
        actions={
          screen.denial ? undefined : (
            <AddButton blocked={denial} onClick={() => setAct({ kind: 'choose' })}>
              Add customer page
            </AddButton>
          )
        }
      />
      <ListScreen
        screen={screen}
        label="Status pages"
        many="status pages"
        columns={pageColumns}
        nameOf={ownerOf}
        actionsOf={(page) => [{ label: 'Edit', disabledReason: denial, onSelect: () => edit(page) }]}
        skeletonRows={3}
        withoutPager
        empty={<EmptyState text="No status page yet." />}
      />
      <Suspense>
        {act?.kind === 'choose' ? (
          <ChooseCustomerDialog onChoose={(id) => edit({ id })} onClose={() => setAct(undefined)} />
        ) : null}
        {act?.kind === 'edit' ? <StatusPageDialog key={act.id} id={act.id} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}
