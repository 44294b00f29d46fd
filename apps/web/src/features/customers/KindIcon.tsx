import type { TimelineKind } from '@agency/contract/types'
import { kindWords } from './timeline-kinds.ts'

/** The sign of a kind, beside its word or in front of what happened. */
export function KindIcon({ kind }: { kind: TimelineKind }) {
  return (
    <svg viewBox="0 0 24 24" width={18} height={18} fill="currentColor" aria-hidden="true" focusable="false">
      <path d={kindWords[kind].icon} />
    </svg>
  )
}
