import type { IncidentDetails, PossibleCause } from '@agency/contract/types'
import { Panel } from '../../ui/Panel.tsx'
import { causeLabels, distanceText } from './incident-words.ts'
import css from './incidents.module.css'

/** What was changed in the hours before, the likeliest cause first. */
export function ChangesPanel({ incident: { changes, opened_at } }: { incident: IncidentDetails }) {
  return (
    <Panel title="What changed before">
      {changes.length === 0 ? (
        <p className={css['muted']}>
          No deployment, variable, DNS record, setting or plan was changed in the hours before.
        </p>
      ) : (
        <ol className={css['causes']} aria-label="Possible causes">
          {changes.map((change) => (
            <Cause key={change.id} change={change} openedAt={opened_at} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Cause({ change, openedAt }: { change: PossibleCause; openedAt: string }) {
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
      </div>
      <span className={css['score']} title={`Likelihood ${score} of 100`}>
        <span className={css['track']} aria-hidden="true">
          <span className={css['bar']} data-high={score >= 70} style={{ width: `${score}%` }} />
        </span>
        <span className={css['hidden']}>Likelihood </span>
        <span className={css['number']}>{score}</span>
      </span>
    </li>
  )
}
