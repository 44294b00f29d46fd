import * as alerts from '@agency/contract/descriptors/alerts'
import type { RuleTrial as Trial } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { formatDate, formatDateTime, formatSpan } from '../../lib/format-time.ts'
import { useRested } from '../../lib/use-rested.ts'
import css from './alerts.module.css'
import { withUnit } from './rule-fields.ts'

type Props = {
  ruleKey: string
  unit: string
  /** null while what is typed is no threshold of the rule. */
  threshold: number | null
}

/** How often the rule would have alarmed with what is typed. */
export function RuleTrial({ ruleKey, unit, threshold }: Props) {
  const rested = useRested(threshold === null ? '' : String(threshold), 300)
  const trial = useQuery({
    ...q(alerts.tryAlertRule, { params: { key: ruleKey }, query: { threshold: Number(rested) } }),
    enabled: rested !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const answer = rested === '' ? undefined : trial.data?.trial
  const isLate = trial.isPlaceholderData || rested !== String(threshold ?? '')
  return (
    <div className={css['trial']} role="status" aria-label="Test on past data" data-late={isLate}>
      {answer ? <Outcome trial={answer} unit={unit} /> : <p>{waitingText(rested, trial.isError)}</p>}
    </div>
  )
}

function waitingText(rested: string, isError: boolean): string {
  if (rested === '') return 'Enter a threshold to test the rule on past data.'
  return isError ? 'The rule could not be tested on past data.' : 'Testing the rule on past data…'
}

function Outcome({ trial, unit }: { trial: Trial; unit: string }) {
  if (trial.measured_since === null) return <p>Not enough measurements yet.</p>
  return (
    <>
      <p>{firedText(trial)}</p>
      <p className={css['muted']}>Measured since {formatDate(trial.measured_since)}.</p>
      {trial.examples.length > 0 ? (
        <ul className={css['examples']} aria-label="Examples">
          {trial.examples.map(({ from, until, subject_name, peak }) => (
            <li key={`${from} ${subject_name}`}>
              <bdi>{subject_name}</bdi>, up to {withUnit(peak, unit)}
              <br />
              <span className={css['muted']}>
                {formatDateTime(from)}
                {until === null ? ', ongoing' : `, for ${formatSpan((Date.parse(until) - Date.parse(from)) / 1000)}`}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function firedText({ fired, days }: Trial): string {
  const times = fired === 0 ? 'not have fired' : `have fired ${formatCount(fired)} ${fired === 1 ? 'time' : 'times'}`
  return `Would ${times} in the last ${formatCount(days)} days.`
}
