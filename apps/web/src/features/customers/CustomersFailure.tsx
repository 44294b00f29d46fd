import type { ApiError } from '../../lib/problems.ts'
import { Age } from '../../ui/Age.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

type Props = {
  error: Error | null
  /** When the rows that are still shown were true; null when there are none. */
  at: number | null
  onRetry: () => void
}

export function CustomersFailure({ error, at, onRetry }: Props) {
  if (!error) return null
  return (
    <ErrorPanel error={error as ApiError} onRetry={onRetry}>
      Failed to load customer data. Please try again.
      {at === null ? null : (
        <>
          {' '}
          The rows below are from the last answer: <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}
