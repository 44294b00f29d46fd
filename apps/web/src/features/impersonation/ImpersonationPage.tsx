import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Impersonation } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerScreenTabs } from '../../ui/CustomerScreenTabs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { impersonationColumns } from './impersonation-columns.tsx'
import { impersonationList } from './impersonation-search.ts'
import { rowActions } from './row-actions.ts'

const EndDialog = lazy(() => import('./EndDialog.tsx').then((module) => ({ default: module.EndDialog })))
const ImpersonationDialog = lazy(() =>
  import('./ImpersonationDialog.tsx').then((module) => ({ default: module.ImpersonationDialog })),
)

const unit = ['impersonation', 'impersonations'] as const
const choices = [
  { value: 'all', label: 'All' },
  { value: 'live', label: 'Live' },
  { value: 'past', label: 'Past' },
]

/** Who acts or acted as which customer, and why. */
export function ImpersonationPage() {
  const screen = useListScreen(impersonationList)
  const endDenial = useDenial(impersonation.endImpersonation)
  const [ending, setEnding] = useState<Impersonation>()
  return (
    <>
      <PageHeader title="Customers" summary="Who viewed which customer account, and why" />
      <CustomerScreenTabs current={paths.impersonation} />
      <ListScreen
        screen={screen}
        label="Impersonations"
        unit={unit}
        columns={impersonationColumns}
        nameOf={customerNameOf}
        actionsOf={(row) =>
          rowActions(row, { href: screen.hrefOf(row), denial: endDenial, onEnd: () => setEnding(row) })
        }
        skeletonRows={5}
        toolbar={<ListSelect screen={screen} field="show" label="Show" choices={choices} />}
        noMatch="No impersonations of this kind."
        clearLabel="Show all"
        empty={nobody}
        details={(row) => <ImpersonationDialog {...row} denial={endDenial} onEnd={setEnding} />}
      />
      <Suspense>{ending ? <EndDialog row={ending} onClose={() => setEnding(undefined)} /> : null}</Suspense>
    </>
  )
}

const nobody = (
  <EmptyState
    title="Nobody has impersonated a customer yet"
    text="Start from the row menu of a customer. Each view is listed here and can be ended."
    action={<Button href={paths.customers}>All customers</Button>}
  />
)
