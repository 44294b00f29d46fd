import type { IncidentDetails } from '@agency/contract/types'
import { affectedText } from '../../lib/at-risk.ts'
import { AtRiskTable } from '../../ui/AtRisk.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { sitesOf } from './incident-words.ts'
import css from './incidents.module.css'

/** What it costs, and whom it concerns. */
export function ImpactPanel({ incident }: { incident: IncidentDetails }) {
  const sites = sitesOf(incident)
  return (
    <Panel title="Impact">
      <p className={css['affected']}>{affectedText(incident) || 'No sites or customers affected'}</p>
      {sites.length > 0 ? (
        <ul className={css['sites']} aria-label="Affected sites">
          {sites.map(({ id, name, link }) => (
            <li key={id}>
              {link === null ? (
                <bdi>{name}</bdi>
              ) : (
                <a href={link}>
                  <bdi>{name}</bdi>
                </a>
              )}
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
