import { type ReactNode, useId } from 'react'
import { Age } from './Age.tsx'
import css from './Panel.module.css'
import { SectionBoundary } from './SectionBoundary.tsx'
import { SectionError } from './SectionError.tsx'

type Props = {
  title: ReactNode
  children: ReactNode
  /** When the content was true. */
  asOf?: string | number | null
  lifetimeMs?: number
  /** With content, a failed refresh shows in the age pill; without, it takes the body's place. */
  error?: Error | { message: string; requestId?: string } | null
  onRetry?: () => void
  /** Shown instead of the content while the first load runs; of the content's height. */
  skeleton?: ReactNode
  loading?: boolean
  actions?: ReactNode
  footer?: ReactNode
  /** The content reaches the panel's edges, as lists and tables do. */
  flush?: boolean
}

export function Panel(props: Props) {
  const {
    title,
    children,
    asOf = null,
    lifetimeMs,
    error,
    onRetry = () => {},
    loading = false,
    actions,
    footer,
  } = props
  const id = useId()
  const failedWithout = error != null && asOf === null
  return (
    <section className={css['panel']} aria-labelledby={id} aria-busy={loading}>
      <header className={css['header']}>
        <h2 id={id} className={css['title']}>
          {title}
        </h2>
        <Age at={asOf} lifetimeMs={lifetimeMs} failed={error != null && asOf !== null} onRetry={onRetry} />
        {actions}
      </header>
      {failedWithout ? (
        <div className={css['error']}>
          <SectionError error={error} onRetry={onRetry} />
        </div>
      ) : (
        <div className={css['body']} data-flush={props.flush ?? false}>
          <SectionBoundary onRetry={onRetry}>{loading ? props.skeleton : children}</SectionBoundary>
        </div>
      )}
      {footer ? <footer className={css['footer']}>{footer}</footer> : null}
    </section>
  )
}
