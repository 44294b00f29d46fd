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
  auth: 'Cloudflare rejects the token',
  rate_limit: 'Cloudflare rate limit reached',
  refused_range: 'Cloudflare refuses this range',
  unavailable: 'Cloudflare could not be read',
  bad_answer: 'Unexpected answer from Cloudflare',
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
          Last figures from <Age at={answer.fetched_at} failed />
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
      Your plan keeps {daysText(days)}.{since === null ? null : ` Earlier days come from this console, since ${since}.`}
      {missing > 0 ? ` ${formatCount(missing)} ${step === 'day' ? 'days' : 'hours'} missing.` : null}
    </p>
  )
}
