import type { ApiKey } from '@agency/contract/api-keys'

export const dayMs = 86_400_000
/** From here on a key's end is told, again a week and a day before it. */
export const reminderDays = [30, 7, 1] as const
const unusedMs = 90 * dayMs

type Facts = {
  revoked_at: Date | null
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
  hasMaker: boolean
}

/** What is to be said of a key first. */
export function stateOf(
  { revoked_at, expires_at, last_used_at, created_at, hasMaker }: Facts,
  now: number,
): ApiKey['state'] {
  if (revoked_at) return 'revoked'
  const leftMs = expires_at ? expires_at.getTime() - now : Number.POSITIVE_INFINITY
  if (leftMs <= 0) return 'expired'
  if (!hasMaker) return 'creator_gone'
  if (leftMs <= reminderDays[0] * dayMs) return 'expiring'
  return now - (last_used_at ?? created_at).getTime() > unusedMs ? 'unused' : 'active'
}

export const isActive = (state: ApiKey['state']): boolean =>
  state === 'active' || state === 'expiring' || state === 'unused'

/** The reminder that is due for an end so far away, or none: 30 from 30 days on, then 7, then 1. */
export function dueReminder(leftMs: number): number | undefined {
  if (leftMs <= 0) return undefined
  return reminderDays.findLast((days) => leftMs <= days * dayMs)
}
