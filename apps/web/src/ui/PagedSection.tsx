import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import css from './PagedSection.module.css'
import { SectionError } from './SectionError.tsx'
import { SkeletonLines } from './Skeleton.tsx'

type Props = {
  /** Undefined until the first page is there. */
  count: number | undefined
  error: Error | null
  /** What stands in while the first page is on its way. */
  skeleton: { count: number; height: number }
  empty: ReactNode
  hasMore: boolean
  isLoadingMore: boolean
  moreLabel?: string
  onMore: () => void
  /** Tries again what failed: the first page, a later one, or reading them anew. */
  onRetry: () => void
  children: ReactNode
}

/** A list that grows by pages, with all that may be there instead of it or below it. */
export function PagedSection(props: Props) {
  const { count, error, skeleton, empty, hasMore, isLoadingMore, moreLabel = 'Load more', onMore, onRetry } = props
  if (count === undefined) {
    return error ? <SectionError error={error} onRetry={onRetry} /> : <SkeletonLines {...skeleton} />
  }
  return (
    <>
      {count === 0 ? empty : props.children}
      {error ? <SectionError error={error} onRetry={onRetry} /> : null}
      {hasMore && !error ? (
        <div className={css['more']}>
          <Button variant="outlined" loading={isLoadingMore} onClick={onMore}>
            {moreLabel}
          </Button>
        </div>
      ) : null}
    </>
  )
}
