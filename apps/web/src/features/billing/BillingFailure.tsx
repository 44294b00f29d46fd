import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import { Age } from '../../ui/Age.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

type Props = {
  error: Error | null
  /** What was being fetched: payments, stats. */
  what: string
  /** When what is still shown was true; null when nothing is. */
  at: number | null
  onRetry: () => void
}

export function BillingFailure({ error, what, at, onRetry }: Props) {
  if (!error) return null
  const problem = error as ApiError
  return (
    <ErrorPanel error={problem} onRetry={onRetry}>
      Failed to load Stripe data: {fetchFailure(what, problem)}. Please check the console for details.
      {at === null ? null : (
        <>
          {' '}
          The {what} shown are from the last answer: <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}
