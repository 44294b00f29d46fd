import type { AnalyticsError } from '@agency/contract/types'
import { CloudflareError } from '../../integrations/cloudflare/errors.ts'

export const noAccess: AnalyticsError = {
  code: 'no_access',
  message: 'The token needs Zone.Analytics:Read for this domain.',
  retry_after: null,
}

export const notConnected: AnalyticsError = {
  code: 'not_connected',
  message: 'Cloudflare is not connected. Showing earlier data.',
  retry_after: null,
}

const range = /time range|older than|wider than|reduced time period/i
const access = /not have access|not available for your plan|not authorized|authz/i

function codeOf({ kind, message }: CloudflareError): AnalyticsError['code'] {
  if (kind === 'rate_limit' || kind === 'unavailable') return kind
  if (range.test(message)) return 'refused_range'
  if (access.test(message)) return 'no_access'
  return kind === 'auth' ? 'auth' : 'bad_answer'
}

const advice: Partial<Record<AnalyticsError['code'], string>> = {
  auth: 'The token is invalid or lacks Zone.Analytics:Read. Check System Config.',
  no_access: 'Not included in the plan or the token.',
  refused_range: 'The plan keeps less data.',
}

/** What went wrong, for people; anything but the provider's failures is thrown on. */
export function failureOf(error: unknown): AnalyticsError {
  if (!(error instanceof CloudflareError)) throw error
  const code = codeOf(error)
  const message = [error.message, advice[code]].filter(Boolean).join(' — ')
  return { code, message, retry_after: error.retryAfter ?? null }
}

/** These concern every domain, so there is no use in asking for the next one. */
export const isGeneral = ({ code }: AnalyticsError): boolean =>
  code === 'auth' || code === 'rate_limit' || code === 'unavailable'
