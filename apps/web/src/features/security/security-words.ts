import type * as security from '@agency/contract/descriptors/security'
import type { LiveSession, SecurityFinding } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }
export type Attempt = ResponseOf<typeof security.listSignInAttempts>['attempts'][number]
export type LockOut = ResponseOf<typeof security.listLockOuts>['lockouts'][number]
export type AdminKeyState = ResponseOf<typeof security.getAdminKey>

/** In the order in which findings are listed. */
export const findingChips: Record<SecurityFinding['state'], Chip> = {
  error: { label: 'Error', tone: 'error' },
  warning: { label: 'Warning', tone: 'warning' },
  advice: { label: 'Advice', tone: 'info' },
  unknown: { label: 'Unknown', tone: 'neutral' },
  ok: { label: 'Passed', tone: 'success' },
}

/** What a session still has to do before it is whole; nothing to say of one that is. */
export const stageLabels: Record<LiveSession['stage'], string | null> = {
  open: null,
  second_factor: 'Waiting for the code',
  new_password: 'Choosing a password',
  enrolment: 'Setting up two-step verification',
}

export const methodLabels: Record<Attempt['method'], string> = {
  login: 'Admin key',
  api: 'API call',
  email: 'Email',
  second_factor: 'Two-step verification',
  link: 'Link',
}

export const lockOutLabels: Record<LockOut['kind'], string> = { address: 'Address', account: 'Account' }

/** `Super Admin` */
export const roleWords = (role: string) =>
  role.replaceAll('_', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

export function scoreTone(score: number): Tone {
  if (score >= 90) return 'success'
  return score >= 70 ? 'warning' : 'error'
}

/** `1 session`, `12 sessions` */
export const sessionsText = (count: number) => `${formatCount(count)} ${count === 1 ? 'session' : 'sessions'}`

export const apiKeysText = (count: number) => `${formatCount(count)} API ${count === 1 ? 'key' : 'keys'}`
