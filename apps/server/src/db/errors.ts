/** The database cannot be started or used. The message is one line: what is wrong, where, and what to do. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

/** Another one has what may be there once: https://www.postgresql.org/docs/15/errcodes-appendix.html */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string } | null)?.code === '23505'
