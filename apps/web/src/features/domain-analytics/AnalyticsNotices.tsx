import type { AnalyticsError, ZoneAnalytics } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { formatSpan } from '../../lib/format-time.ts'
import { Age } from '../../ui/Age.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import css from './analytics.module.css'
import { longTimeLabel } from './figures.ts'

const titles: Record<AnalyticsError['code'], string> = {
  no_access: 'No access to the analytics of this domain',
  not_connected: 'Cloudflare is not connected',
  auth: 'Cloudflare does not take the token',
  rate_limit: 'Cloudflare limits the calls at the moment',
  refused_range: 'Cloudflare refuses this range',
  unavailable: 'Cloudflare could not be read',
  bad_answer: 'Cloudflare answered with something unexpected',
}

type Props = { answer: ZoneAnalytics; onRetry: () => void }

export function AnalyticsNotices({ answer, onRetry }: Props) {
  return (
    <>
      {answer.error ? <Failure answer={answer} error={answer.error} onRetry={onRetry} /> : null}
      <Limits answer={answer} />
    </>
  )
}

function Failure({ answer, error, onRetry }: Props & { error: AnalyticsError }) {
  const canTry = error.code !== 'not_connected'
  return (
    <ErrorPanel tone="warning" title={titles[error.code]} {...(canTry && { onRetry })}>
      {error.message}
      {error.retry_after === null ? null : ` Try again in ${formatSpan(error.retry_after)}.`}
      {answer.totals === null || answer.fetched_at === null ? null : (
        <>
          {' '}
          What is shown was read before: <Age at={answer.fetched_at} failed />
        </>
      )}
    </ErrorPanel>
  )
}

const daysText = (days: number) => `${formatCount(Math.floor(days))} ${days < 2 ? 'day' : 'days'}`

/** What the plan gives, and what this console adds to it. */
function Limits({ answer: { limits, missing, step } }: { answer: ZoneAnalytics }) {
  const { days_back: days, kept_since: kept, is_beyond_plan: isBeyond } = limits
  if (!isBeyond || days === null) return null
  const since = kept === null ? null : longTimeLabel(kept, 'day')
  return (
    <p className={css['limits']}>
      Your plan keeps {daysText(days)}.
      {since === null ? null : ` Earlier days are those that this console kept, since ${since}.`}
      {missing > 0 ? ` Of ${formatCount(missing)} ${step === 'day' ? 'days' : 'hours'} nothing is known.` : null}
    </p>
  )
}
