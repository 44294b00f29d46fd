/** The database cannot be started or used. The message is one line: what is wrong, where, and what to do. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}
