import type { SqlError } from '@agency/contract/sql-console'
import { Refused } from './guard/refused.ts'

type ServerError = Error & { code?: string; hint?: string; position?: string; severity?: string }

const outOfMemory = '53200'
const ended = ['57P01', '57014', '08003', '08006']

/** What a query throws that was cancelled before there was a session to end. */
export const cancelled = (): Error => Object.assign(new Error('Cancelled'), { severity: 'ERROR', code: '57014' })

const isServerError = (error: unknown): error is ServerError => error instanceof Error && 'severity' in error

/**
 * What went wrong, in PostgreSQL's words where they are its own. `before`: so many characters were sent before the query.
 * null: it is no failure of the query, but of the console.
 */
export function explainFailure(
  error: unknown,
  { reason, isFlooded, before, offset }: { reason: string | null; isFlooded: boolean; before: number; offset: number },
): SqlError | null {
  const plain = (message: string): SqlError => ({ message, hint: null, position: null })
  if (error instanceof Refused) return { message: error.message, hint: null, position: error.position }
  if (reason !== null) return plain(reason)
  if (isFlooded) return plain('Stopped: a batch of rows was larger than 48 MB')
  if (!isServerError(error)) return wasEnded(error) ? plain('Stopped: the database connection was closed') : null
  if (error.code === outOfMemory) return plain('Stopped: used more than 256 MB of memory')
  if (ended.includes(error.code ?? '')) return plain('Cancelled')
  const position = Number(error.position) - 1 - before
  return {
    message: error.message,
    hint: error.hint ?? null,
    position: Number.isInteger(position) && position >= 0 ? position + offset : null,
  }
}

const wasEnded = (error: unknown): boolean =>
  error instanceof Error &&
  /Connection terminated|Client has encountered a connection error|ECONNRESET|EPIPE/.test(error.message)
