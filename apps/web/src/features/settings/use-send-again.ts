import * as settings from '@agency/contract/descriptors/settings'
import type { Mail } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'

/** Why a mail cannot be sent again, or undefined where it can. */
export function sendBlock({ state }: Pick<Mail, 'state'>): string | undefined {
  if (state === 'queued') return 'Already on the way'
  return state === 'sent' ? 'Already sent' : undefined
}

export function useSendAgain() {
  const again = useCall(settings.sendMailAgain, [settings.listMails])
  const send = ({ id, to }: Mail) =>
    again.mutate(
      { params: { id } },
      {
        success: (toast, { mail }) =>
          mail.state === 'kept'
            ? toast.info('No mail server yet. The email stays in the outbox.')
            : toast.success(`Queued the email to ${to}`),
        failure: 'The email was not sent. It stays in the outbox.',
      },
    )
  return { send, sending: again.isPending }
}
