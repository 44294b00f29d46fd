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
  requested: { label: 'Being opened', tone: 'info' },
  handed_over: { label: 'Handed over', tone: 'info' },
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
  ended_by_other: 'Ended by somebody else',
  time: 'Its 30 minutes were over',
  signed_out: 'Ended with the sign-out',
  idle: 'Ended with its session, which had no activity',
  session_limit: 'Ended with its session, which reached its limit',
  session_ended: 'Ended with its session, which was ended',
  deactivated: 'Ended with the account of whoever opened it',
  permission_lost: 'Ended with the permission of whoever opened it',
  customer_deleted: 'Ended with the customer, who was deleted',
  provider_failed: 'Stripe did not open the portal. Nothing was handed out.',
  interrupted: 'The console stopped meanwhile. Nothing was handed out.',
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
  if (way === 'portal') return 'Not known: the portal is at Stripe'
  return pages.length === 0 ? 'None' : pages.map((page) => pageLabels[page]).join(', ')
}

const notices = { queued: 'By mail', kept: 'The mail is in the outbox: there is no mail server' }

export const noticeText = ({ notice }: Impersonation): string => (notice === null ? 'No' : notices[notice])
