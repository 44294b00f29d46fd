import type {
  Impersonation,
  ImpersonationCause,
  ImpersonationPage,
  ImpersonationState,
  ImpersonationWay,
} from '@agency/contract/types'
import { formatSpan } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'

export const wayLabels: Record<ImpersonationWay, string> = { portal: 'Billing portal', view: 'Read-only view' }

export const stateChips: Record<ImpersonationState, { label: string; tone: Tone }> = {
  live: { label: 'Live', tone: 'success' },
  ended: { label: 'Ended', tone: 'neutral' },
  requested: { label: 'Opening', tone: 'info' },
  handed_over: { label: 'Opened', tone: 'info' },
  failed: { label: 'Failed', tone: 'error' },
}

const pageLabels: Record<ImpersonationPage, string> = {
  account: 'Account',
  subscriptions: 'Subscriptions',
  invoices: 'Invoices',
  payments: 'Payments',
  sites: 'Sites',
}

const causes: Record<ImpersonationCause, string> = {
  ended: 'Ended by hand',
  ended_by_other: 'Ended by someone else',
  time: 'Ended after 30 minutes',
  signed_out: 'Ended at sign-out',
  idle: 'Ended: session inactive',
  session_limit: 'Ended: session limit reached',
  session_ended: 'Ended: session ended',
  deactivated: 'Ended: account deactivated',
  permission_lost: 'Ended: permission removed',
  customer_deleted: 'Ended: customer deleted',
  provider_failed: 'Stripe did not open the portal.',
  interrupted: 'Interrupted by a console restart.',
}

export function causeText({ cause, ended_by }: Pick<Impersonation, 'cause' | 'ended_by'>): string | null {
  if (cause === null) return null
  return ended_by === null ? causes[cause] : `Ended by ${ended_by}`
}

/** What a session at Stripe lasted, nobody here knows. */
export function lengthText({ way, started_at, ended_at }: Impersonation, now: number): string | null {
  if (way === 'portal') return null
  const end = ended_at === null ? Math.max(now, Date.parse(started_at)) : Date.parse(ended_at)
  return formatSpan((end - Date.parse(started_at)) / 1000)
}

export function pagesText({ way, pages }: Impersonation): string {
  if (way === 'portal') return 'Unknown (at Stripe)'
  return pages.length === 0 ? 'None' : pages.map((page) => pageLabels[page]).join(', ')
}

const notices = { queued: 'By email', kept: 'Not sent (no mail server)' }

export const noticeText = ({ notice }: Impersonation): string => (notice === null ? 'No' : notices[notice])
