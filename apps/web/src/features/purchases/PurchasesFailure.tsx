import type { ApiError } from '../../lib/problems.ts'
import { Age } from '../../ui/Age.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

type Props = {
  error: Error | null
  /** When what is still shown was true; null when nothing is. */
  at: number | string | null
  onRetry: () => void
}

export function PurchasesFailure({ error, at, onRetry }: Props) {
  if (!error) return null
  const problem = error as ApiError
  return (
    <ErrorPanel title={titleOf(problem)} error={problem} onRetry={onRetry}>
      {at === null ? (
        'Nothing could be loaded yet.'
      ) : (
        <>
          What is shown is from the last answer: <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}

/** The server refused, or no answer came that could be read. */
function titleOf({ code, title }: ApiError): string {
  if (code === 'no_key') return title
  return code === 'unreachable' || code === 'bad_answer' ? 'Failed to load purchase data' : 'Failed to fetch purchases'
}
