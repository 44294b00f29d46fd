import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import css from './ErrorPanel.module.css'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

export type ErrorPanelProps = {
  /** The sentence for the user, as the specification words it. */
  children: ReactNode
  title?: string
  /** What lies behind it; its detail and request id are one click away. */
  error?: { message: string; requestId?: string | undefined; status?: number } | null
  tone?: 'error' | 'warning' | 'info'
  onRetry?: () => void
  retryLabel?: string
  onClose?: () => void
}

export function ErrorPanel({
  children,
  title,
  error,
  tone = 'error',
  onRetry,
  retryLabel = 'Retry',
  onClose,
}: ErrorPanelProps) {
  return (
    <div role="alert" className={css['panel']} data-tone={tone}>
      <div className={css['words']}>
        {title ? <p className={css['title']}>{title}</p> : null}
        <p>{children}</p>
        {error ? <ErrorDetails error={error} /> : null}
      </div>
      <div className={css['actions']}>
        {onRetry ? (
          <Button size="small" variant="outlined" color="inherit" onClick={onRetry}>
            {retryLabel}
          </Button>
        ) : null}
        {onClose ? (
          <IconButton small inherit label="Dismiss" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        ) : null}
      </div>
    </div>
  )
}

function ErrorDetails({ error }: { error: NonNullable<ErrorPanelProps['error']> }) {
  return (
    <details className={css['details']}>
      <summary>Details</summary>
      <p>{error.message || 'An unexpected error occurred'}</p>
      {error.status ? <p>Status {error.status}</p> : null}
      {error.requestId ? <p>Request {error.requestId}</p> : null}
    </details>
  )
}
