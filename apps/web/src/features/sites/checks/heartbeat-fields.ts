import type { SiteHeartbeat } from '@agency/contract/types'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import type { Tone } from '../../../theme/palette.ts'

export type HeartbeatFields = { every: string; grace: string; whenMissing: SiteHeartbeat['when_missing'] }

export const heartbeatFields = (heartbeat: SiteHeartbeat): HeartbeatFields => ({
  every: String(heartbeat.every_minutes),
  grace: String(heartbeat.grace_minutes),
  whenMissing: heartbeat.when_missing,
})

type Changes = Partial<Pick<SiteHeartbeat, 'every_minutes' | 'grace_minutes' | 'when_missing'>>

/** What differs, as the server takes it; null when nothing does. */
export function heartbeatChanges(fields: HeartbeatFields, before: HeartbeatFields): Changes | null {
  const changes: Changes = {
    ...(fields.every !== before.every && { every_minutes: Number(fields.every) }),
    ...(fields.grace !== before.grace && { grace_minutes: Number(fields.grace) }),
    ...(fields.whenMissing !== before.whenMissing && { when_missing: fields.whenMissing }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

export function heartbeatProblems({ every, grace }: HeartbeatFields): Problems<HeartbeatFields> {
  return {
    every: isWhole(every, 1, 44_640) ? undefined : 'A whole number from 1 to 44,640',
    grace: isWhole(grace, 0, 1440) ? undefined : 'A whole number from 0 to 1,440',
  }
}

export const heartbeatNames = {
  every_minutes: 'every',
  grace_minutes: 'grace',
  when_missing: 'whenMissing',
} as const satisfies Record<string, keyof HeartbeatFields>

export const heartbeatChips: Record<SiteHeartbeat['state'], { label: string; tone: Tone }> = {
  off: { label: 'Off', tone: 'neutral' },
  waiting: { label: 'Waiting for the first call', tone: 'info' },
  received: { label: 'Received', tone: 'success' },
  missing: { label: 'Missing', tone: 'error' },
}
