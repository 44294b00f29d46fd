import * as channels from '@agency/contract/descriptors/channels'
import type { RoutePreview as Preview } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { alertSeverityChips } from '../../lib/alert-status.ts'
import { q } from '../../lib/api.ts'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useRested } from '../../lib/use-rested.ts'
import css from './alerts.module.css'
import { previewOf, type RouteFields } from './route-fields.ts'

/** What the route would have sent of what happened. */
export function RoutePreview({ form }: { form: EditForm<RouteFields> }) {
  const fields = useWatch({ control: form.control }) as RouteFields
  const typed = JSON.stringify(previewOf(fields))
  const rested = useRested(typed, 300)
  const query = JSON.parse(rested) as ReturnType<typeof previewOf>
  const preview = useQuery({
    ...q(channels.previewRoute, { query: query ?? { min_severity: 'critical' } }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const answer = query === null ? undefined : preview.data?.preview
  const isLate = preview.isPlaceholderData || rested !== typed
  return (
    <div className={css['trial']} role="status" aria-label="Preview" data-late={isLate}>
      {answer ? <Outcome preview={answer} /> : <p>{waitingText(query === null, preview.isError)}</p>}
    </div>
  )
}

function waitingText(isIncomplete: boolean, isError: boolean): string {
  if (isIncomplete) return 'Complete the route to see a preview.'
  return isError ? 'The preview could not be loaded.' : 'Looking at the last 7 days…'
}

const messages = (count: number) => `${formatCount(count)} ${count === 1 ? 'message' : 'messages'}`

function Outcome({ preview: { days, at_once, held, digests, examples } }: { preview: Preview }) {
  return (
    <>
      <p>
        {at_once + held === 0
          ? `Would have sent nothing in the last ${formatCount(days)} days.`
          : `Would have sent ${messages(at_once + held)} in the last ${formatCount(days)} days.`}
      </p>
      {held > 0 ? (
        <p className={css['muted']}>
          {messages(held)} in {formatCount(digests)} {digests === 1 ? 'digest' : 'digests'} after quiet hours.
        </p>
      ) : null}
      {examples.length > 0 ? (
        <ul className={css['examples']} aria-label="Examples">
          {examples.map(({ title, severity, at, held_until }) => (
            <li key={`${at} ${title}`}>
              <bdi>{title}</bdi>
              <br />
              <span className={css['muted']}>
                {alertSeverityChips[severity].label}, {formatDateTime(at)}
                {held_until === null ? '' : `, held until ${formatDateTime(held_until)}`}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
