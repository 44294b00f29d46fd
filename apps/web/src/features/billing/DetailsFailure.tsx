import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import { Age } from '../../ui/Age.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'

type Props = { error: Error | null; what: string; at: string | undefined; onRetry: () => void }

export function DetailsFailure({ error, what, at, onRetry }: Props) {
  if (!error) return null
  return (
    <ErrorPanel error={error as ApiError} onRetry={onRetry}>
      {fetchFailure(what, error as ApiError)}
      {at ? (
        <>
          {' '}
          <Age at={at} failed />
        </>
      ) : null}
    </ErrorPanel>
  )
}
