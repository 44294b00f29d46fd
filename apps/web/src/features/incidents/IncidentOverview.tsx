import type { IncidentDetails } from '@agency/contract/types'
import { EventList } from '../../ui/EventList.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { ChangesPanel } from './ChangesPanel.tsx'
import { ImpactPanel } from './ImpactPanel.tsx'
import { eventLabels } from './incident-words.ts'
import css from './incidents.module.css'
import { NoteBox } from './NoteBox.tsx'

export function IncidentOverview({ incident }: { incident: IncidentDetails }) {
  return (
    <div className={css['columns']}>
      <Panel title="Timeline">
        <EventList
          label="Timeline"
          events={incident.events.map(({ kind, ...event }) => ({ ...event, label: eventLabels[kind] }))}
        />
        <NoteBox incident={incident} />
      </Panel>
      <div className={css['side']}>
        <ImpactPanel incident={incident} />
        <ChangesPanel incident={incident} />
        <AlertsPanel incident={incident} />
      </div>
    </div>
  )
}
