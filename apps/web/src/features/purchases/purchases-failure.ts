import type { ApiError } from '../../lib/problems.ts'
import type { FailureWords } from '../../ui/ListFailure.tsx'

/** The server refused, or no answer came that could be read. */
export function purchasesFailure({ code, title }: ApiError): FailureWords {
  if (code === 'no_key') return { title }
  const isUnread = code === 'unreachable' || code === 'bad_answer'
  return { title: isUnread ? 'Failed to load purchase data' : 'Failed to fetch purchases' }
}
