import * as deployments from '@agency/contract/descriptors/deployments'
import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import * as sites from '@agency/contract/descriptors/sites'
import type { IncidentDetails, PossibleCause } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useDenial } from '../../lib/session.ts'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { causeLabels, distanceText } from './incident-words.ts'
import css from './incidents.module.css'

const UndoDialog = lazy(() => import('./UndoDialog.tsx').then((m) => ({ default: m.UndoDialog })))

/** What was changed in the hours before, the likeliest cause first. */
export function ChangesPanel({ incident: { changes, opened_at, number } }: { incident: IncidentDetails }) {
  return (
    <Panel title="Recent changes">
      {changes.length === 0 ? (
        <p className={css['muted']}>
          No changes to deployments, variables, DNS, settings, plans or feature flags in the hours before.
        </p>
      ) : (
        <ol className={css['causes']} aria-label="Possible causes">
          {changes.map((change) => (
            <Cause key={change.id} change={change} openedAt={opened_at} incidentNumber={number} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

type CauseProps = { change: PossibleCause; openedAt: string; incidentNumber: number }

function Cause({ change, openedAt, incidentNumber }: CauseProps) {
  const { kind, title, at, actor, site_name, link, score, reasons } = change
  const name = <bdi>{title}</bdi>
  return (
    <li className={css['cause']}>
      <div className={css['words']}>
        {link === null ? (
          <span className={css['causeTitle']}>{name}</span>
        ) : (
          <a href={link} className={css['causeTitle']}>
            {name}
          </a>
        )}
        <span className={css['muted']}>
          {causeLabels[kind]}, {distanceText(at, openedAt)}
          {actor === null ? null : (
            <>
              , by <bdi>{actor}</bdi>
            </>
          )}
          {site_name === null ? null : (
            <>
              , <bdi>{site_name}</bdi>
            </>
          )}
        </span>
        {reasons.length > 0 ? (
          <span className={css['muted']}>
            <bdi>{reasons.join(' · ')}</bdi>
          </span>
        ) : null}
        {change.undo === null ? null : (
          <UndoButton undo={change.undo} subject={site_name ?? title} incidentNumber={incidentNumber} />
        )}
      </div>
      <span className={css['score']} title={`Likelihood ${score} of 100`}>
        <span className={css['track']} aria-hidden="true">
          <span className={css['bar']} data-high={score >= 70} style={{ width: `${score}%` }} />
        </span>
        <Spoken>Likelihood </Spoken>
        <span className={css['number']}>{score}</span>
      </span>
    </li>
  )
}

type UndoProps = { undo: NonNullable<PossibleCause['undo']>; subject: string; incidentNumber: number }

const calls = {
  deployment: deployments.rollbackSite,
  environment: sites.rollBackEnvironment,
  flag: featureFlags.revertFeatureFlag,
} as const

function UndoButton({ undo, subject, incidentNumber }: UndoProps) {
  const [isOpen, setIsOpen] = useState(false)
  const denial = useDenial(calls[undo.kind])
  return (
    <div>
      <ReasonedButton size="small" variant="outlined" blocked={denial} onClick={() => setIsOpen(true)}>
        Roll back to {undo.name}
      </ReasonedButton>
      <Suspense>
        {isOpen ? (
          <UndoDialog undo={undo} subject={subject} incidentNumber={incidentNumber} onClose={() => setIsOpen(false)} />
        ) : null}
      </Suspense>
    </div>
  )
}
