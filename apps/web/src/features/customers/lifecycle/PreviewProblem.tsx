import { fetchFailure } from '../../../lib/fetch-failure.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'

type Props = { error: Error | null; ready: boolean; onRetry: () => void }

/** In the place of what would be reached, until it is known. */
export function PreviewProblem({ error, ready, onRetry }: Props) {
  if (ready) return null
  if (!error) return <SkeletonLines count={4} height={24} />
  return (
    <ErrorPanel error={error as ApiError} onRetry={onRetry}>
      {fetchFailure('customers', error as ApiError)}
    </ErrorPanel>
  )
}
