import type { ApiError } from './problems.ts'

/** `Failed to fetch payments: Service Unavailable`; a call that was never sent says why instead. */
export function fetchFailure(what: string, error: ApiError): string {
  if (error.code === 'no_key') return error.title
  return `Failed to fetch ${what}: ${error.statusText || error.title}`
}
