import type { AdminUser } from '@agency/contract/types'
import { formatDateTime } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'

export type Mark = { label: string; tone: Tone; title?: string }

/** What is to be known of somebody at a glance: may they come in, and is something waiting to be done first. */
export function marksOf(user: Pick<AdminUser, 'is_active' | 'password' | 'open_link' | 'online'>): Mark[] {
  const marks: Mark[] = [user.is_active ? { label: 'Active', tone: 'success' } : { label: 'Inactive', tone: 'neutral' }]
  const waiting = waitingMark(user)
  if (waiting) marks.push(waiting)
  if (user.online) marks.push({ label: 'Online', tone: 'info', title: 'Active in the last 5 minutes' })
  return marks
}

function waitingMark({ password, open_link }: Pick<AdminUser, 'password' | 'open_link'>): Mark | undefined {
  if (open_link) {
    const title = `The link works once, until ${formatDateTime(open_link.expires_at)}`
    return open_link.kind === 'invitation'
      ? { label: 'Invited', tone: 'info', title }
      : { label: 'Reset link sent', tone: 'warning', title }
  }
  const marks: Record<AdminUser['password'], Mark | undefined> = {
    own: undefined,
    none: { label: 'No password', tone: 'warning', title: 'The link expired or was revoked. Create a new one.' },
    temporary: { label: 'Temporary password', tone: 'warning', title: 'To be changed on the first login' },
    temporary_expired: { label: 'Temporary password expired', tone: 'error', title: 'Reset the password' },
  }
  return marks[password]
}

export function secondFactorMark({ second_factor }: Pick<AdminUser, 'second_factor'>): Mark {
  if (second_factor.enabled) return { label: 'On', tone: 'success' }
  return second_factor.required
    ? { label: 'Required', tone: 'warning', title: 'Required by the role; set up at the next sign-in' }
    : { label: 'Off', tone: 'neutral' }
}
