/** The steps before the first byte of a request. */
const beforeSending: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/** Nobody was there who could have heard it. */
export function isUnsent(error: unknown): boolean {
  // A name with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnsent)
  return error instanceof Error && 'syscall' in error && beforeSending.has(error.syscall)
}
