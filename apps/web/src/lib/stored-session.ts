import type { SessionState } from '@agency/contract/types'
import { load, save } from './storage.ts'

/** What the server last said of the session behind this key, as far as this browser knows. */
export function storedSession(key: string): SessionState | undefined {
  const known = load('session')
  // What an older console stored has no stage.
  return known?.key === markOf(key) && known.state.stage ? known.state : undefined
}

export function storeSession(key: string, state: SessionState): void {
  save('session', { key: markOf(key), state })
}

// Enough to notice that the stored session belongs to another key.
function markOf(key: string): string {
  return key.slice(-8)
}
