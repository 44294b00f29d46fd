import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { useDenial } from '../../lib/session.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { AlertStatusChips, SeverityChip } from './AlertChips.tsx'
import { AlertOverview } from './AlertOverview.tsx'
import { type AlertAct, acknowledgeReason, alertActions, overReason } from './alert-actions.ts'
import css from './alerts.module.css'

type Props = {
  id: string
  onAcknowledge: (alert: Alert) => void
  onAct: (act: AlertAct) => void
  onClose: () => void
}

export function AlertDetailsDialog({ id, onAcknowledge, onAct, onClose }: Props) {
  const details = useQuery(q(alerts.getAlert, { params: { id } }))
  const alert = details.data?.alert
  const { error } = details
  if (isNotFound(error)) return <DetailsDialog {...notFound('Alert')} onClose={onClose} />
  return (
    <DetailsDialog
      title={alert?.title ?? 'Alert'}
      marks={
        alert ? (
          <span className={css['chips']}>
            <SeverityChip {...alert} />
            <AlertStatusChips {...alert} />
          </span>
        ) : null
      }
      subtitle={alert ? <Subject alert={alert} /> : null}
      actions={alert ? <Actions alert={alert} onAcknowledge={onAcknowledge} onAct={onAct} /> : undefined}
      onClose={onClose}
    >
      <ListFailure
        error={error}
        what="the alert"
        at={alert ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {alert ? <AlertOverview alert={alert} /> : error ? null : <SkeletonLines count={6} />}
    </DetailsDialog>
  )
}

function Subject({ alert: { link, subject_name } }: { alert: Alert }) {
  const name = <bdi>{subject_name}</bdi>
  return link === null ? name : <a href={link}>{name}</a>
}

type ActionsProps = Pick<Props, 'onAcknowledge' | 'onAct'> & { alert: Alert }

function Actions({ alert, onAcknowledge, onAct }: ActionsProps) {
  const denial = useDenial(alerts.acknowledgeAlert)
  const others = alertActions(alert, { denial, onAcknowledge, onAct }).filter(
    ({ label }) => label !== 'Acknowledge' && label !== 'Resolve',
  )
  return (
    <>
      <ReasonedButton
        variant="outlined"
        aria-haspopup="dialog"
        blocked={denial ?? overReason(alert)}
        onClick={() => onAct({ kind: 'resolve', alert })}
      >
        Resolve
      </ReasonedButton>
      <ReasonedButton
        variant="contained"
        blocked={denial ?? acknowledgeReason(alert)}
        onClick={() => onAcknowledge(alert)}
      >
        Acknowledge
      </ReasonedButton>
      <MoreMenu label="More for this alert" actions={others} />
    </>
  )
}
