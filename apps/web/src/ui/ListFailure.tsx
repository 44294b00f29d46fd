import type { ReactNode } from 'react'
import { ApiError } from '../lib/problems.ts'
import { Age } from './Age.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorPanel, type ErrorPanelProps } from './ErrorPanel.tsx'

/** A failure in words of its own. */
export type FailureWords = {
  title?: string
  text?: ReactNode
  /** What leads to the age of the rows that are still shown. */
  stale?: string
}

type Props = {
  error: ErrorPanelProps['error']
  /** What could not be loaded: "the audit log". */
  what?: string
  /** Where "Failed to load the audit log." is not what is said. */
  wordsOf?: ((error: ApiError) => FailureWords) | undefined
  /** When the rows that are still shown were true; null when there are none. */
  at: number | string | null
  onRetry: () => void
  onClose?: () => void
}

export function ListFailure({ error, what, wordsOf, at, onRetry, onClose }: Props) {
  if (!error) return null
  // Asking again would bring no other answer.
  if (!wordsOf && at === null && error instanceof ApiError && error.status === 404)
    return <EmptyState text={`${error.detail || error.title}. It may have been deleted, or the address is wrong.`} />
  const words = wordsOf?.(error as ApiError) ?? {}
  const { title, text = what && `Failed to load ${what}.`, stale = 'Showing old data:' } = words
  return (
    <ErrorPanel title={title} error={error} onRetry={onRetry} onClose={onClose}>
      {text ?? (at === null ? 'Nothing loaded yet.' : null)}
      {at === null ? null : (
        <>
          {text ? gapAfter(text) : null}
          {stale} <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}

/** The texts that are specified end without a full stop. */
const gapAfter = (text: ReactNode): string => (typeof text === 'string' && !text.endsWith('.') ? '. ' : ' ')
