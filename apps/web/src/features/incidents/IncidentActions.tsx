import * as incidents from '@agency/contract/descriptors/incidents'
import type { IncidentDetails } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { incidentName, incidentStatusChips } from '../../lib/incident-status.ts'
import { useDenial } from '../../lib/session.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { type IncidentAct, moreActions, type Status } from './incident-actions.ts'
import { nextSteps } from './incident-words.ts'
import { useChangeIncident } from './use-change-incident.ts'

const IncidentDialogs = lazy(() => import('./IncidentDialogs.tsx').then((m) => ({ default: m.IncidentDialogs })))

/** Moves the incident on, and everything else that can be done with it. */
export function IncidentActions({ incident }: { incident: IncidentDetails }) {
  const [act, setAct] = useState<IncidentAct>()
  const denial = useDenial(incidents.updateIncident)
  const { change, isPending } = useChangeIncident(incident)
  const step = nextSteps[incident.status]
  const handleStatus = (status: Status) =>
    status === 'resolved'
      ? setAct('resolve')
      : change({ status }, `${incidentStatusChips[status].label}: ${incidentName(incident.number)}`)
  return (
    <>
      {incident.status === 'merged' ? null : (
        <ReasonedButton variant="outlined" aria-haspopup="dialog" blocked={denial} onClick={() => setAct('assign')}>
          Assign
        </ReasonedButton>
      )}
      {step ? (
        <ReasonedButton
          variant="contained"
          blocked={denial}
          loading={isPending ? 'Saving' : false}
          onClick={() => handleStatus(step.to)}
        >
          {step.label}
        </ReasonedButton>
      ) : null}
      <MoreMenu
        label="More for this incident"
        actions={moreActions(incident, { denial, onAct: setAct, onStatus: handleStatus })}
      />
      <Suspense>
        {act ? <IncidentDialogs act={act} incident={incident} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}
