import * as settings from '@agency/contract/descriptors/settings'
import type { Mail } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './settings.module.css'
import { mailChips } from './settings-words.ts'
import { sendBlock, useSendAgain } from './use-send-again.ts'

type Props = {
  id: string
  /** What the list knows, which hears of every change. */
  listed: Mail | undefined
  onClose: () => void
}

export function MailDialog({ id, listed, onClose }: Props) {
  // Reading a mail is written to the audit log, so it is asked for once.
  const read = useQuery({
    ...q(settings.getMail, { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { send, sending } = useSendAgain()
  const mail = listed ?? read.data?.mail
  if (isNotFound(read.error)) return <DetailsDialog {...notFound('Mail')} onClose={onClose} />
  return (
    <DetailsDialog
      title={mail?.subject ?? 'Mail'}
      marks={mail ? <StatusChip {...mailChips[mail.state]} /> : null}
      subtitle={mail ? <bdi>To {mail.to}</bdi> : null}
      onClose={onClose}
      actions={
        mail ? (
          <ReasonedButton variant="outlined" blocked={sendBlock(mail)} loading={sending} onClick={() => send(mail)}>
            Send again
          </ReasonedButton>
        ) : undefined
      }
    >
      <ListFailure error={read.error} what="the mail" at={null} onRetry={() => void read.refetch()} />
      {mail ? (
        <Facts
          facts={[
            { label: 'Written', value: <DateTime at={mail.created_at} show="date-time" /> },
            { label: 'Sent', value: <DateTime at={mail.sent_at} show="date-time" none="Not yet" /> },
            { label: 'Kind', value: mail.kind },
            { label: 'Attempts', value: formatCount(mail.attempts) },
            ...(mail.error ? [{ label: 'Last error', value: <bdi>{mail.error}</bdi>, wide: true }] : []),
          ]}
        />
      ) : null}
      {read.data ? (
        <pre className={css['text']}>{read.data.text}</pre>
      ) : read.error ? null : (
        <SkeletonLines count={4} />
      )}
      {read.data ? (
        <p className={css['after']}>
          Reading this email is recorded in the audit log.
          <CopyButton text={read.data.text} label="Copy the text" />
        </p>
      ) : null}
    </DetailsDialog>
  )
}
