import type { ChangeTopic } from '../../src/platform/changes.ts'

/** What the benchmark asks a measured process, and what that answers. */
export type Ask = { id: number } & (
  | { do: 'statement'; path: string; headers: Record<string, string> }
  | { do: 'reset-loop' }
  | { do: 'read-loop' }
  | { do: 'reset-calls' }
  | { do: 'read-calls' }
  | { do: 'import' }
  | { do: 'tell-changed'; topics: readonly ChangeTopic[] }
  | { do: 'authenticate'; headers: Record<string, string>; times: number }
  | { do: 'memory' }
  | { do: 'children' }
)

export type Captured = { text: string; values: unknown[]; name?: string }
export type Answer = { id: number; value: unknown; error?: string }
export type Ready = { ready: string }
