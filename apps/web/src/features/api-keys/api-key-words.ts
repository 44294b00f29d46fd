import type { ApiKey, ApiKeyScope } from '@agency/contract/types'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone; title: string }

/** What is to be said of a key beside Active and Inactive. */
export const stateChips: Record<ApiKey['state'], Chip | null> = {
  active: null,
  expiring: { label: 'Expires soon', tone: 'warning', title: 'It expires within 30 days' },
  unused: { label: 'Unused', tone: 'neutral', title: 'It was not used for 90 days, or never' },
  expired: { label: 'Expired', tone: 'error', title: 'Its expiration date has passed' },
  revoked: { label: 'Revoked', tone: 'neutral', title: 'Somebody made it useless' },
  creator_gone: { label: 'Maker gone', tone: 'error', title: 'Whoever made it may no longer sign in' },
}

/** Why a key can no longer be given a new secret, or undefined where it can. */
export function rollBlock({ state }: Pick<ApiKey, 'state'>): string | undefined {
  if (state === 'revoked') return 'It is revoked: generate a new key'
  if (state === 'expired') return 'It has expired: generate a new key'
  return state === 'creator_gone' ? 'Whoever made it is gone: generate a new key' : undefined
}

export const scopeTexts: Record<ApiKeyScope, string> = {
  'customers.read': 'See customers and export them',
  'sites.read': 'See sites, deployments and domains',
  'analytics.read': 'See reports and analytics',
  'billing.read': 'See subscriptions, payments and plans',
  'metrics.read': 'Read /metrics, for Prometheus',
}
export const scopes = Object.keys(scopeTexts) as ApiKeyScope[]

/** No role has it: whoever makes keys may give it. */
export const isFree = (scope: ApiKeyScope) => scope === 'metrics.read'

export const defaultRateLimit = 600
const maxRateLimit = 10_000
export const rateLimitHelp = 'More than that are refused until the minute is over'

/** Undefined for what is no limit. */
function readRateLimit(text: string): number | undefined {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  return value >= 1 && value <= maxRateLimit ? value : undefined
}

export const limitBody = (text: string) => ({ rate_limit_per_minute: readRateLimit(text) ?? defaultRateLimit })

export const limitProblems = ({ name, rateLimit }: { name: string; rateLimit: string }) => ({
  name: name.trim() ? undefined : 'Enter a name',
  rateLimit: readRateLimit(rateLimit) === undefined ? 'Enter a whole number from 1 to 10,000' : undefined,
})

/** The last moment of a day in the user's zone, or null when that is over. */
export function endOfDay(day: string, now: number): string | null {
  const end = new Date(`${day}T23:59:59`)
  return end.getTime() > now ? end.toISOString() : null
}
