import { formatAge } from '../lib/format-time.ts'
import { useNow } from '../lib/use-now.ts'
import { isoOf } from './DateTime.tsx'
import { exactTitle } from './exact-title.ts'
import css from './figures.module.css'

type Props = {
  /** When the figures were true; null while nothing was loaded. */
  at: string | number | null
  /** From this age on the figures count as old. */
  lifetimeMs?: number
  /** The last refresh failed: the age is shown with a way to try again. */
  failed?: boolean
  onRetry?: () => void
}

export function Age({ at, lifetimeMs = Number.POSITIVE_INFINITY, failed = false, onRetry }: Props) {
  const now = useNow()
  if (at === null && !failed) return null
  const old = failed || (at !== null && now - new Date(at).getTime() > lifetimeMs)
  return (
    <span className={css['age']} data-old={old}>
      {at === null ? (
        <span>no data</span>
      ) : (
        <time dateTime={isoOf(at)} {...exactTitle(at, 'As of ')}>
          {formatAge(at, now)}
        </time>
      )}
      {failed && onRetry ? (
        <button type="button" className={css['retry']} onClick={onRetry} title="The last refresh failed">
          retry
        </button>
      ) : null}
    </span>
  )
}
