import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useSeesMoney } from '../../lib/at-risk.ts'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { AlertsHeader } from './AlertsHeader.tsx'
import { AlertsToolbar } from './AlertsToolbar.tsx'
import { type AlertAct, alertActions } from './alert-actions.ts'
import { columnsWithMoney, columnsWithoutMoney } from './alert-columns.tsx'
import { alertChips, alertsList } from './alerts-search.ts'
import { BulkActions } from './BulkActions.tsx'
import { useAcknowledge } from './use-acknowledge.ts'

const AlertDetailsDialog = lazy(() =>
  import('./AlertDetailsDialog.tsx').then((m) => ({ default: m.AlertDetailsDialog })),
)
const AlertDialogs = lazy(() => import('./AlertDialogs.tsx').then((m) => ({ default: m.AlertDialogs })))

const nameOf = (alert: Alert) => alert.title
const unit = ['alert', 'alerts'] as const

export function AlertsTab() {
  const screen = useListScreen(alertsList)
  const { answer, rows, denial } = screen
  const [act, setAct] = useState<AlertAct>()
  const writeDenial = useDenial(alerts.acknowledgeAlert)
  const { acknowledge } = useAcknowledge()
  const seesMoney = useSeesMoney(rows)
  return (
    <>
      <AlertsHeader tab="alerts" summary={denial ? undefined : answer ? summaryOf(answer.counts) : ''} />
      <ListScreen
        screen={screen}
        label="Alerts"
        unit={unit}
        columns={seesMoney ? columnsWithMoney : columnsWithoutMoney}
        nameOf={nameOf}
        actionsOf={(alert) =>
          alertActions(alert, {
            href: screen.hrefOf(alert),
            denial: writeDenial,
            onAcknowledge: (chosen) => acknowledge([chosen]),
            onAct: setAct,
          })
        }
        toolbar={<AlertsToolbar screen={screen} counts={answer?.counts} seesMoney={seesMoney} />}
        chips={alertChips(screen.state, rows)}
        empty={nothing}
        bulk={(selected, clear) => <BulkActions selected={selected} onDone={clear} />}
        details={({ id, onClose }) => (
          <AlertDetailsDialog
            id={id}
            onAcknowledge={(alert) => acknowledge([alert])}
            onAct={setAct}
            onClose={onClose}
          />
        )}
      />
      <Suspense>{act ? <AlertDialogs act={act} onClose={() => setAct(undefined)} /> : null}</Suspense>
    </>
  )
}

const nothing = (
  <EmptyState
    title="No active alerts"
    text="Rules watch sites, certificates, domains, payments, backups and the console itself."
    action={
      <Button variant="outlined" href={paths.alertRules}>
        View rules
      </Button>
    }
  />
)

/** `3 active · 1 critical` */
const summaryOf = ({ active, critical }: { active: number; critical: number }): string =>
  `${formatCount(active)} active · ${formatCount(critical)} critical`
