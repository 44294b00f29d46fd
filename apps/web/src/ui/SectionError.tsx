import { Button } from './Button.tsx'
import css from './SectionError.module.css'

type Props = { error: Error | { message: string; requestId?: string }; onRetry: () => void }

export function SectionError({ error, onRetry }: Props) {
  const requestId = 'requestId' in error ? error.requestId : undefined
  return (
    <div role="alert" className={css['section']}>
      <p className={css['title']}>Failed to load this section</p>
      <p className={css['message']}>{error.message || 'An unexpected error occurred'}</p>
      {requestId ? <p className={css['id']}>Request {String(requestId)}</p> : null}
      <Button size="small" variant="outlined" color="inherit" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  )
}
