import type { AnalyticsError } from '@agency/contract/types'
import { CloudflareError } from '../../integrations/cloudflare/errors.ts'

export const noAccess: AnalyticsError = {
  code: 'no_access',
  message:
    'Cloudflare gives no analytics of this domain: the token lacks Zone.Analytics:Read for it, or may not read this zone.',
  retry_after: null,
}

export const notConnected: AnalyticsError = {
  code: 'not_connected',
  message: 'Cloudflare is not connected. What was read earlier is still shown.',
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
  auth: 'The token is not good, or lacks Zone.Analytics:Read. Check it under Settings.',
  no_access: 'The plan or the token does not give this.',
  refused_range: 'The plan keeps less than was asked for.',
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
