import css from './Skeleton.module.css'
import { StillWaiting } from './StillWaiting.tsx'

type Props = { width?: number | string; height?: number | string }

export function Skeleton({ width = '100%', height = 14 }: Props) {
  return <span className={css['skeleton']} style={{ width, height }} aria-hidden="true" />
}

type LinesProps = {
  count: number
  height?: number
  /** Where several places wait for one answer, one of them says so. */
  silent?: boolean
}

/** Lines of the height that the real ones will have. */
export function SkeletonLines({ count, height = 44, silent = false }: LinesProps) {
  return (
    <>
      {silent ? null : <StillWaiting />}
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={index} style={{ height, display: 'flex', alignItems: 'center' }}>
          <Skeleton width={`${90 - (index % 3) * 15}%`} />
        </div>
      ))}
    </>
  )
}
