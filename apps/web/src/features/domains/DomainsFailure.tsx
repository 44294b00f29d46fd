import { useState } from 'react'
import { ListFailure } from '../../ui/ListFailure.tsx'

type Props = {
  /** What went wrong last: with the call, or with the console's own refresh. */
  error: { message: string; requestId?: string | undefined } | null
  /** Tells one failure from the next: a dismissed one stays away. */
  failedAt: string | number | null
  /** How old the rows are that are still shown; null when there are none. */
  at: string | null
  onRetry: () => void
}

const words = {
  text: 'Failed to fetch domains. Please try again.',
  stale: 'Showing old data:',
}

export function DomainsFailure({ error, failedAt, at, onRetry }: Props) {
  const [dismissed, setDismissed] = useState<string | number | null>(null)
  if (!error || (dismissed !== null && dismissed === failedAt)) return null
  return (
    <ListFailure error={error} wordsOf={() => words} at={at} onRetry={onRetry} onClose={() => setDismissed(failedAt)} />
  )
}
