import * as settings from '@agency/contract/descriptors/settings'
import type { Mail } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'

/** Why a mail cannot be sent again, or undefined where it can. */
export function sendBlock({ state }: Pick<Mail, 'state'>): string | undefined {
  if (state === 'queued') return 'It is on its way already'
  return state === 'sent' ? 'It was sent already' : undefined
}

export function useSendAgain() {
  const again = useCall(settings.sendMailAgain, [settings.listMails])
  const send = ({ id, to }: Mail) =>
    again.mutate(
      { params: { id } },
      {
        success: (toast, { mail }) =>
          mail.state === 'kept'
            ? toast.info('There is still no mail server, so the mail stays in the outbox.')
            : toast.success(`The mail to ${to} is queued`),
        failure: 'The mail was not sent. It stays in the outbox.',
      },
    )
  return { send, sending: again.isPending }
}
