import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { useContext } from 'react'
import type { Input } from '../../lib/api.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { RefreshContext } from '../../lib/refresh.ts'
import { useCall } from '../../lib/use-call.ts'
import { incidentReads } from './incidents-search.ts'

type Change = Omit<NonNullable<Input<typeof incidents.updateIncident>['body']>, 'version'>

/** Changes an incident with one press. Where somebody else was faster, the newest state is shown. */
export function useChangeIncident({ id, number, version }: Pick<Incident, 'id' | 'number' | 'version'>) {
  const update = useCall(incidents.updateIncident, incidentReads)
  const refresh = useContext(RefreshContext)
  const change = (body: Change, done: string) =>
    update.mutate(
      { params: { id }, body: { version, ...body } },
      {
        success: done,
        onError: (error) => {
          if (error.code === 'conflict') void refresh(incidentReads)
        },
        failure: `${incidentName(number)} was not changed`,
      },
    )
  return { change, isPending: update.isPending }
}
