import { Skeleton } from '../../ui/Skeleton.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'

/** Stands where a page will be while its code loads. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton width={220} height={28} />
      <div style={{ height: 24 }} />
      <StillWaiting />
      <Skeleton height={320} />
    </div>
  )
}
