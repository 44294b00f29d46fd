import { ApiError } from '../lib/problems.ts'
import { Age } from './Age.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorPanel } from './ErrorPanel.tsx'

type Props = {
  error: Error | null
  /** What could not be loaded: "the audit log". */
  what: string
  /** When the rows that are still shown were true; null when there are none. */
  at: number | null
  onRetry: () => void
}

export function ListFailure({ error, what, at, onRetry }: Props) {
  if (!error) return null
  // Asking again would bring no other answer.
  if (at === null && error instanceof ApiError && error.status === 404)
    return <EmptyState text={`${error.detail || error.title}. It may be gone, or the address was mistyped.`} />
  return (
    <ErrorPanel error={error} onRetry={onRetry}>
      Failed to load {what}.
      {at === null ? null : (
        <>
          {' '}
          What is shown is from the last answer: <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}
