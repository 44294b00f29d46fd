import type { SiteReach } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from './status.module.css'

/** What will happen, a line each. */
export function reachOf(preview: SiteReach | undefined): ReactNode[] {
  if (!preview) return []
  return [
    ...preview.effects.map((effect) => <bdi key={effect}>{effect}</bdi>),
    ...preview.warnings.map((warning) => (
      <strong key={warning} className={css['warning']}>
        <bdi>{warning}</bdi>
      </strong>
    )),
  ]
}

type Props = { error: Error | null; ready: boolean; onRetry: () => void }

/** In the place of what would be reached, until it is known. */
export function ReachProblem({ error, ready, onRetry }: Props) {
  if (ready) return null
  if (!error) return <SkeletonLines count={3} height={24} />
  return (
    <ErrorPanel error={error} onRetry={onRetry}>
      The preview could not be loaded.
    </ErrorPanel>
  )
}
