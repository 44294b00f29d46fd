import { permissionTexts } from '@agency/contract/permission-texts'
import type { ApiKey, ApiKeyScope } from '@agency/contract/types'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone; title: string }

/** What is to be said of a key beside Active and Inactive. */
export const stateChips: Record<ApiKey['state'], Chip | null> = {
  active: null,
  expiring: { label: 'Expires soon', tone: 'warning', title: 'Expires within 30 days' },
  unused: { label: 'Unused', tone: 'neutral', title: 'Not used in the last 90 days' },
  expired: { label: 'Expired', tone: 'error', title: 'The expiration date has passed' },
  revoked: { label: 'Revoked', tone: 'neutral', title: 'Revoked by an administrator' },
  creator_gone: { label: 'Creator gone', tone: 'error', title: 'The creator can no longer sign in' },
}

/** Why a key can no longer be given a new secret, or undefined where it can. */
export function rollBlock({ state }: Pick<ApiKey, 'state'>): string | undefined {
  if (state === 'revoked') return 'Revoked: generate a new key'
  if (state === 'expired') return 'Expired: generate a new key'
  return state === 'creator_gone' ? 'The creator is gone: generate a new key' : undefined
}

export const scopeTexts: Record<ApiKeyScope, string> = {
  'customers.read': 'See customers and export them',
  'sites.read': 'See sites, deployments and domains',
  'analytics.read': 'See reports and analytics',
  'billing.read': 'See subscriptions, payments and plans',
  'metrics.read': 'Read /metrics, for Prometheus',
  'flags.evaluate': 'Evaluate feature flags, for sites',
}
type AnyScope = ApiKey['permissions'][number]
const ownNames: Partial<Record<AnyScope, string>> = {
  'metrics.read': 'Read metrics',
  'flags.evaluate': 'Evaluate feature flags',
}

/** As the permission is called; a scope of keys alone has a name of its own. */
export const scopeName = (scope: AnyScope): string =>
  ownNames[scope] ?? (permissionTexts as Partial<Record<string, { name: string }>>)[scope]?.name ?? scope

export const scopes = Object.keys(scopeTexts) as ApiKeyScope[]

/** No role has it: whoever makes keys may give it. */
export const isFree = (scope: ApiKeyScope) => scope === 'metrics.read' || scope === 'flags.evaluate'

export const defaultRateLimit = 600
const maxRateLimit = { browser: 120_000, other: 10_000 }
export const rateLimitHelp = 'Further calls are refused until the next minute'

/** Undefined for what is no limit. */
function readRateLimit(text: string, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  return value >= 1 && value <= most ? value : undefined
}

export const limitBody = (text: string) => ({
  rate_limit_per_minute: readRateLimit(text, maxRateLimit.browser) ?? defaultRateLimit,
})

type Limits = { name: string; rateLimit: string; origins: string }

/** Only a key that does nothing else may lie open in web pages. */
export const mayHaveOrigins = (permissions: readonly string[]): boolean => permissions.join() === 'flags.evaluate'

export const originsHelp = 'Only for a key in web pages, such as https://shop.example. Several: with spaces between'

/** `https://Shop.example/` → `https://shop.example` */
export const readOrigins = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map((part) => part.toLowerCase().replace(/\/$/, '')),
  ),
]

const isOrigin = (text: string): boolean => /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text)

export function limitProblems({ name, rateLimit, origins }: Limits) {
  const read = readOrigins(origins)
  const most = read.length > 0 ? maxRateLimit.browser : maxRateLimit.other
  const wrong = read.find((origin) => !isOrigin(origin))
  return {
    name: name.trim() ? undefined : 'Enter a name',
    rateLimit:
      readRateLimit(rateLimit, most) === undefined
        ? `Enter a whole number from 1 to ${read.length > 0 ? '120,000' : '10,000'}`
        : undefined,
    origins: wrong === undefined ? undefined : `${wrong} is not an origin such as https://shop.example`,
  }
}

/** The last moment of a day in the user's zone, or null when that is over. */
export function endOfDay(day: string, now: number): string | null {
  const end = new Date(`${day}T23:59:59`)
  return end.getTime() > now ? end.toISOString() : null
}
