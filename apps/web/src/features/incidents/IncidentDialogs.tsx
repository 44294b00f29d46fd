import type { IncidentDetails } from '@agency/contract/types'
import { lazy } from 'react'
import { AssignIncidentDialog } from './AssignIncidentDialog.tsx'
import { EditIncidentDialog } from './EditIncidentDialog.tsx'
import { FalsePositiveDialog } from './FalsePositiveDialog.tsx'
import type { IncidentAct } from './incident-actions.ts'
import { ResolveIncidentDialog } from './ResolveIncidentDialog.tsx'
import { SplitDialog } from './SplitDialog.tsx'

// A choice that is searched for is most of the code of all of them.
const MergeDialog = lazy(() => import('./MergeDialog.tsx').then((m) => ({ default: m.MergeDialog })))

type Props = { act: IncidentAct; incident: IncidentDetails; onClose: () => void }

export function IncidentDialogs({ act, incident, onClose }: Props) {
  switch (act) {
    case 'assign':
      return <AssignIncidentDialog incident={incident} onClose={onClose} />
    case 'edit':
      return <EditIncidentDialog id={incident.id} onClose={onClose} />
    case 'resolve':
      return <ResolveIncidentDialog incident={incident} onClose={onClose} />
    case 'merge':
      return <MergeDialog incident={incident} onClose={onClose} />
    case 'split':
      return <SplitDialog incident={incident} onClose={onClose} />
    case 'false-positive':
      return <FalsePositiveDialog incident={incident} onClose={onClose} />
  }
}
