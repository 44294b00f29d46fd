import * as alerts from '@agency/contract/descriptors/alerts'
import * as incidents from '@agency/contract/descriptors/incidents'
import type { IncidentDetails } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName, incidentStatusChips } from '../../lib/incident-status.ts'
import { useCall } from '../../lib/use-call.ts'
import { useRested } from '../../lib/use-rested.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { type Option, SearchChoice } from '../../ui/SearchChoice.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { incidentTitle } from './incident-words.ts'
import { incidentReads } from './incidents-search.ts'

export function MergeDialog({ incident, onClose }: { incident: IncidentDetails; onClose: () => void }) {
  const merge = useCall(incidents.mergeIncident, [...incidentReads, alerts.listAlerts])
  const toast = useToast()
  const [into, setInto] = useState<Option>()
  const name = incidentName(incident.number)
  const count = incident.alerts.length
  const handleConfirm = () => {
    if (!into) return
    merge.mutate(
      { params: { id: incident.id }, body: { into: into.id } },
      {
        onSuccess: () => {
          toast.success(`Merged ${name} into ${into.name}`)
          onClose()
        },
      },
    )
  }
  return (
    <ConfirmDialog
      title={`Merge ${name}`}
      consequences={[
        `${count === 1 ? 'Its alert moves' : `Its ${formatCount(count)} alerts move`} into the other incident.`,
        `${name} ends as merged. Merging cannot be undone; alerts can be split off again.`,
      ]}
      confirmLabel="Merge incident"
      pending={merge.isPending}
      blockedReason={into ? undefined : 'Choose the incident to merge into'}
      error={merge.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <IncidentChoice except={incident.id} chosen={into} disabled={merge.isPending} onChange={setInto} />
    </ConfirmDialog>
  )
}

type ChoiceProps = {
  except: string
  chosen: Option | undefined
  disabled: boolean
  onChange: (chosen: Option | undefined) => void
}

function IncidentChoice({ except, chosen, disabled, onChange }: ChoiceProps) {
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(incidents.listIncidents, { query: { limit: 25, search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  const others = (data?.incidents ?? []).filter(({ id }) => id !== except)
  return (
    <SearchChoice
      label="Merge into"
      options={others.map((each) => ({
        id: each.id,
        name: incidentTitle(each),
        detail: incidentStatusChips[each.status].label,
      }))}
      chosen={chosen ? [chosen] : []}
      isLoading={isFetching}
      help="Search active incidents by number or title"
      problem={isError ? 'Incidents could not be loaded' : undefined}
      disabled={disabled}
      onSearch={setTyped}
      onChange={([first]) => onChange(first)}
    />
  )
}
