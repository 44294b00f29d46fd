import type { IncidentDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import { durationText, incidentTitle } from './incident-words.ts'
import css from './incidents.module.css'
import { oneIncident } from './incidents-search.ts'

/** What must be known of it before anything else: that it is over, or that it never was. */
export function IncidentNotices({ incident }: { incident: IncidentDetails }) {
  const { merged_into, resolved_at, resolved_by, is_false_positive } = incident
  return (
    <>
      {merged_into === null ? null : <Merged into={merged_into} />}
      {resolved_at === null || merged_into !== null ? null : (
        <p className={css['notice']} data-tone="success" role="note">
          Resolved {formatDateTime(resolved_at)} by <bdi>{resolved_by ?? 'the console'}</bdi>, after{' '}
          {durationText(incident, Date.parse(resolved_at)).toLowerCase()}.
        </p>
      )}
      {is_false_positive ? (
        <p className={css['notice']} role="note">
          False positive: not counted in reports.
        </p>
      ) : null}
    </>
  )
}

function Merged({ into }: { into: string }) {
  const other = useQuery(oneIncident(into)).data?.incident
  return (
    <p className={css['notice']} role="note">
      Merged into{' '}
      <a href={paths.incident(into)}>
        <bdi>{other ? incidentTitle(other) : 'another incident'}</bdi>
      </a>
      . Its alerts and timeline continue there.
    </p>
  )
}
