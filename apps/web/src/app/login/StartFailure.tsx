import { Component, type ReactNode } from 'react'
import { retryCheck } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import css from './login.module.css'

type Props = { error: Error; onRetry?: () => void; keyKept?: boolean }

/** The console cannot start: it was not reached, or its code was not. The stored key stays. */
export function StartFailure({ error, onRetry = () => void retryCheck(), keyKept = false }: Props) {
  return (
    <main className={css['page']}>
      <div className={css['card']}>
        <div>
          <h1 className={css['heading']}>Failed to load dashboard</h1>
          <p className={css['line']}>
            {keyKept
              ? 'You are still signed in. The console retries every few seconds.'
              : 'Refresh the page, or try again when the connection is back.'}
          </p>
        </div>
        <div role="alert" className={css['message']}>
          {error.message || 'An unexpected error occurred'}
        </div>
        <Button variant="contained" onClick={onRetry}>
          Try Again
        </Button>
      </div>
    </main>
  )
}

class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { error } = this.state
    // A chunk that failed once stays failed for the page; only a new page asks for it again.
    return error ? <StartFailure error={error} onRetry={() => window.location.reload()} /> : this.props.children
  }
}

StartFailure.Boundary = Boundary
