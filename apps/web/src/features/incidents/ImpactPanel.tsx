import type { IncidentDetails } from '@agency/contract/types'
import { affectedText } from '../../lib/at-risk.ts'
import { paths } from '../../lib/paths.ts'
import { AtRiskTable } from '../../ui/AtRisk.tsx'
import { Panel } from '../../ui/Panel.tsx'
import css from './incidents.module.css'

/** What it costs, and whom it concerns. */
export function ImpactPanel({ incident }: { incident: IncidentDetails }) {
  const { sites } = incident
  return (
    <Panel title="Impact">
      <p className={css['affected']}>{affectedText(incident) || 'No sites or customers affected'}</p>
      {sites.length > 0 ? (
        <ul className={css['sites']} aria-label="Affected sites">
          {sites.map(({ id, site_name }) => (
            <li key={id}>
              <a href={paths.site(id)}>
                <bdi>{site_name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {incident.at_risk === null ? null : (
        <>
          <h3 className={css['heading']}>Revenue at risk</h3>
          <AtRiskTable amounts={incident.at_risk} />
        </>
      )}
    </Panel>
  )
}
