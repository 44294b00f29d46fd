import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { useSeesMoney } from '../../lib/at-risk.ts'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { IncidentsToolbar } from './IncidentsToolbar.tsx'
import { columnsWithMoney, columnsWithoutMoney } from './incident-columns.tsx'
import { incidentTitle } from './incident-words.ts'
import { incidentChips, incidentsList } from './incidents-search.ts'

const OpenIncidentDialog = lazy(() =>
  import('./OpenIncidentDialog.tsx').then((m) => ({ default: m.OpenIncidentDialog })),
)

const hrefOf = ({ id }: Incident) => paths.incident(id)
const unit = ['incident', 'incidents'] as const

export function IncidentsPage() {
  const screen = useListScreen(incidentsList)
  const { state, set, answer, rows, denial } = screen
  const openDenial = useDenial(incidents.openIncident)
  const seesMoney = useSeesMoney(rows)
  return (
    <>
      <PageHeader
        title="Incidents"
        summary={denial ? undefined : answer ? summaryOf(answer.counts) : ''}
        actions={
          denial ? undefined : (
            <AddButton blocked={openDenial} onClick={() => set({ act: 'open' })}>
              Open incident
            </AddButton>
          )
        }
      />
      <ListScreen
        screen={screen}
        label="Incidents"
        unit={unit}
        columns={seesMoney ? columnsWithMoney : columnsWithoutMoney}
        nameOf={incidentTitle}
        hrefOf={hrefOf}
        toolbar={<IncidentsToolbar screen={screen} counts={answer?.counts} seesMoney={seesMoney} />}
        chips={incidentChips(state)}
        empty={
          <EmptyState
            title="No active incidents"
            text="Alerts open incidents automatically. You can also open one by hand."
          />
        }
      />
      <Suspense>
        {state.act === 'open' && !openDenial && !denial ? (
          <OpenIncidentDialog
            alertIds={state.alerts.split(',').filter(Boolean)}
            onClose={() => set({ act: 'none', alerts: '' })}
          />
        ) : null}
      </Suspense>
    </>
  )
}

type Counts = { active: number; sev1: number }

/** `2 active · 1 SEV1` */
const summaryOf = ({ active, sev1 }: Counts): string => `${formatCount(active)} active · ${formatCount(sev1)} SEV1`
