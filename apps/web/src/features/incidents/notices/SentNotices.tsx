import * as notices from '@agency/contract/descriptors/incident-notices'
import type { Incident, IncidentNotice } from '@agency/contract/types'
import { useCall } from '../../../lib/use-call.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../incidents.module.css'
import { noticeReads } from '../incidents-search.ts'
import { customersText, nameOf, stateChips } from './notice-words.ts'

type Receiver = IncidentNotice['receivers'][number]

export function SentNotices({ incident, notices: sent }: { incident: Incident; notices: readonly IncidentNotice[] }) {
  if (sent.length === 0) return null
  return (
    <Panel title="Sent notices">
      {sent.map((notice) => (
        <section key={notice.id} className={css['sentNotice']} aria-label={notice.subject}>
          <h3 className={css['heading']}>
            <bdi>{notice.subject}</bdi>
          </h3>
          <p className={css['muted']}>
            <DateTime at={notice.at} /> by <bdi>{notice.sent_by}</bdi> · {customersText(notice.receivers.length)}
          </p>
          <details>
            <summary>Text</summary>
            <p className={css['emailText']}>{notice.text}</p>
          </details>
          <ul className={css['alerts']} aria-label={`Customers of ${notice.subject}`}>
            {notice.receivers.map((receiver) => (
              <One key={receiver.customer_id} incidentId={incident.id} noticeId={notice.id} receiver={receiver} />
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  )
}

type OneProps = { incidentId: string; noticeId: string; receiver: Receiver }

function One({ incidentId, noticeId, receiver }: OneProps) {
  const retry = useCall(notices.retryIncidentNotice, noticeReads)
  const name = nameOf(receiver)
  const mayRetry = receiver.state === 'failed' || receiver.state === 'kept'
  const handleRetry = () =>
    retry.mutate(
      { params: { id: incidentId, notice: noticeId }, body: { customer_id: receiver.customer_id } },
      { success: `Sending again to ${name}`, failure: `Not sent to ${name}` },
    )
  return (
    <li className={css['alert']}>
      <span className={css['words']}>
        <bdi>{name}</bdi>
        {receiver.address ? <bdi className={css['muted']}>{receiver.address}</bdi> : null}
        {receiver.error ? <span className={css['muted']}>{receiver.error}</span> : null}
      </span>
      <span className={css['chips']}>
        <StatusChip {...stateChips[receiver.state]} />
        {mayRetry ? (
          <ReasonedButton
            size="small"
            aria-label={`Retry ${name}`}
            blocked={retry.denial}
            loading={retry.isPending}
            onClick={handleRetry}
          >
            Retry
          </ReasonedButton>
        ) : null}
      </span>
    </li>
  )
}
