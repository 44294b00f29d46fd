import type { IncidentNotice, NoticeReceiver } from '@agency/contract/types'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import { formatCount } from '../../../lib/format.ts'
import type { Tone } from '../../../theme/palette.ts'

export type NoticeFields = { subject: string; text: string }

export const standingChips: Record<NoticeReceiver['standing'], { label: string; tone: Tone }> = {
  ready: { label: 'Will be emailed', tone: 'success' },
  no_address: { label: 'No email address', tone: 'warning' },
  deleted: { label: 'Deleted', tone: 'neutral' },
  opted_out: { label: 'Opted out', tone: 'neutral' },
}

type State = IncidentNotice['receivers'][number]['state']

export const stateChips: Record<State, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'info' },
  sent: { label: 'Sent', tone: 'success' },
  kept: { label: 'Not sent (no mail server)', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
}

export const noticeProblems = ({ subject, text }: NoticeFields): Problems<NoticeFields> => ({
  subject:
    subject.trim() === ''
      ? 'Enter a subject'
      : subject.trim().length > 200
        ? 'A subject has 200 characters at most'
        : undefined,
  text: text.trim() === '' ? 'Enter a text' : undefined,
})

export const customersText = (count: number): string => (count === 1 ? '1 customer' : `${formatCount(count)} customers`)

export const nameOf = ({ name, customer_id }: { name: string | null; customer_id: string }): string =>
  name ?? customer_id
