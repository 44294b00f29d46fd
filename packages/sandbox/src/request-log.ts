import type { Provider } from './faults.ts'

export type RequestLogEntry = {
  provider: Provider
  id: string
  at: number
  method: string
  path: string
  /** The call as the SDK names it, when the address is known. */
  name: string | null
  params: Record<string, unknown>
  idempotencyKey: string | null
  replayed: boolean
  /** null: the connection ended without an answer. */
  status: number | null
  durationMs: number
  fault: string | null
}

const kept = 5000

export type RequestLog = { add(entry: RequestLogEntry): void; entries(): RequestLogEntry[]; clear(): void }

export function createRequestLog(): RequestLog {
  let entries: RequestLogEntry[] = []
  return {
    add(entry) {
      entries.push(entry)
      if (entries.length > 2 * kept) entries = entries.slice(-kept)
    },
    entries: () => entries.slice(-kept),
    clear() {
      entries = []
    },
  }
}
