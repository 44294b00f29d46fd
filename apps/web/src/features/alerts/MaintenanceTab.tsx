import * as alerts from '@agency/contract/descriptors/alerts'
import type { MaintenanceWindow } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { useDenial } from '../../lib/session.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import type { Action } from '../../ui/action.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { AlertsHeader } from './AlertsHeader.tsx'
import { maintenanceList } from './alerts-search.ts'
import { maintenanceColumns } from './maintenance-columns.tsx'

const PlanMaintenanceDialog = lazy(() =>
  import('./PlanMaintenanceDialog.tsx').then((m) => ({ default: m.PlanMaintenanceDialog })),
)
const EndMaintenanceDialog = lazy(() =>
  import('./EndMaintenanceDialog.tsx').then((m) => ({ default: m.EndMaintenanceDialog })),
)

const nameOf = ({ title }: MaintenanceWindow) => title

export function MaintenanceTab() {
  const screen = useListScreen(maintenanceList)
  const { rows, denial } = screen
  const [act, setAct] = useState<MaintenanceWindow | 'plan'>()
  const planDenial = useDenial(alerts.createMaintenance)
  const close = () => setAct(undefined)
  const actionsOf = (row: MaintenanceWindow): readonly Action[] => [
    {
      label: row.state === 'planned' ? 'Cancel maintenance' : 'End now',
      destructive: row.state === 'planned',
      disabledReason: planDenial ?? (row.state === 'over' ? 'Already over' : undefined),
      onSelect: () => setAct(row),
    },
  ]
  return (
    <>
      <AlertsHeader
        tab="maintenance"
        summary={denial ? undefined : rows ? summaryOf(rows) : ''}
        actions={
          denial ? undefined : (
            <AddButton blocked={planDenial} onClick={() => setAct('plan')}>
              Plan maintenance
            </AddButton>
          )
        }
      />
      <ListScreen
        screen={screen}
        label="Maintenance"
        many="maintenance"
        what="maintenance"
        columns={maintenanceColumns}
        nameOf={nameOf}
        actionsOf={actionsOf}
        skeletonRows={5}
        withoutPager
        empty={
          <EmptyState
            title="No maintenance planned"
            text="Plan maintenance before you work on sites: no notices, and no effect on uptime."
          />
        }
      />
      <Suspense>
        {act === 'plan' ? <PlanMaintenanceDialog onClose={close} /> : null}
        {act && act !== 'plan' ? <EndMaintenanceDialog window={act} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

/** `1 running · 2 planned` */
function summaryOf(windows: readonly MaintenanceWindow[]): string {
  const count = (state: MaintenanceWindow['state']) =>
    formatCount(windows.filter((each) => each.state === state).length)
  return `${count('running')} running · ${count('planned')} planned`
}
