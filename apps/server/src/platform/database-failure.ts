import { DatabaseBusy, DatabaseSilent } from '../db/limits.ts'

export type DatabaseFailure = {
  cause: 'lost' | 'slow' | 'busy' | 'full' | 'read_only' | 'contended'
  /** What happened and what to do, for whoever asked. */
  message: string
  retryAfterS: number
}

const failures: Record<DatabaseFailure['cause'], Omit<DatabaseFailure, 'cause'>> = {
  lost: { message: 'The database cannot be reached. Try again in a moment.', retryAfterS: 5 },
  slow: { message: 'The database is too slow to answer right now. Try again in a moment.', retryAfterS: 10 },
  busy: { message: 'The database is busy. Try again in a moment.', retryAfterS: 5 },
  full: {
    message: "The database's disk is full: nothing can be saved. Free some space, then try again.",
    retryAfterS: 60,
  },
  read_only: {
    message: 'The database is read-only right now: nothing can be saved. Try again later.',
    retryAfterS: 30,
  },
  contended: { message: 'Someone else was changing the same data. Try again.', retryAfterS: 1 },
}

/** Of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and of the operating system. */
const causeOfCode: readonly [RegExp, DatabaseFailure['cause']][] = [
  // Shutdown and recovery of the server, too many connections, and everything that the connection itself can do.
  [/^(57P0[1-5]|53300|25P03|08...)$/, 'lost'],
  [/^(57014|55P03)$/, 'slow'],
  [/^(53100|ENOSPC|EDQUOT)$/, 'full'],
  [/^25006$/, 'read_only'],
  [/^40(001|P01)$/, 'contended'],
]
const lostConnection = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
const socketCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])

/** The driver's own words; it gives them no codes. */
const causeOfWords: readonly [RegExp, DatabaseFailure['cause']][] = [
  [
    /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)/,
    'slow',
  ],
  [/^(Connection terminated|Client has encountered a connection error|Client was closed|Connection ended)/, 'lost'],
]

function causeOf(error: Error & { code?: unknown; syscall?: unknown }): DatabaseFailure['cause'] | undefined {
  if (error instanceof DatabaseBusy) return 'busy'
  if (error instanceof DatabaseSilent) return 'slow'
  const code = typeof error.code === 'string' ? error.code : ''
  const isOfSystem = typeof error.syscall === 'string'
  if (isOfSystem && lostConnection.test(code)) return socketCalls.has(error.syscall as string) ? 'lost' : undefined
  return (causeOfCode.find(([codes]) => codes.test(code)) ??
    causeOfWords.find(([words]) => words.test(error.message)))?.[1]
}

/** Why the database could not do what it was asked, unless the fault is in the question. */
export function databaseFailureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  // Trying several addresses of one name fails with an error without a code of its own.
  const cause =
    causeOf(error) ?? (error instanceof AggregateError && error.errors[0] ? causeOf(error.errors[0]) : undefined)
  return cause && { cause, ...failures[cause] }
}
