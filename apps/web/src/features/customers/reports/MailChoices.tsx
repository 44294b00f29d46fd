import * as incidentNotices from '@agency/contract/descriptors/incident-notices'
import type { MailChoices as Choices } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { q } from '../../../lib/api.ts'
import { RefreshContext } from '../../../lib/refresh.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../customers.module.css'

const reads = [incidentNotices.getMailChoices]

const lines = [
  {
    field: 'takes_notices',
    label: 'Incident notices',
    help: 'Emails about incidents of their sites',
  },
  {
    field: 'gets_uptime_report',
    label: 'Monthly uptime report',
    help: 'On the 1st, for the previous month; needs a mail server',
  },
] as const

/** Which emails about their sites a customer gets; each switch saves at once. */
export function MailChoices({ customerId }: { customerId: string }) {
  const query = useQuery(q(incidentNotices.getMailChoices, { params: { id: customerId } }))
  const choices = query.data?.choices
  return (
    <section className={css['report']} aria-label="Emails">
      <h3>Emails</h3>
      <ListFailure
        error={query.error}
        what="the emails"
        at={choices ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {choices ? (
        <Switches customerId={customerId} choices={choices} />
      ) : query.isPending ? (
        <SkeletonLines count={2} />
      ) : null}
    </section>
  )
}

function Switches({ customerId, choices }: { customerId: string; choices: Choices }) {
  const set = useCall(incidentNotices.setMailChoices, reads)
  const refresh = useContext(RefreshContext)
  const handleChange = (field: (typeof lines)[number]['field'], label: string, isOn: boolean) =>
    set.mutate(
      { params: { id: customerId }, body: { version: choices.version, [field]: isOn } },
      {
        success: `${label}: ${isOn ? 'on' : 'off'}`,
        failure: `${label} was not changed`,
        onError: (error) => {
          if (error.code === 'conflict') void refresh(reads)
        },
      },
    )
  return lines.map(({ field, label, help }) => (
    <label key={field} className={css['choice']} title={set.denial}>
      <input
        type="checkbox"
        role="switch"
        checked={choices[field]}
        aria-checked={choices[field]}
        aria-description={set.denial}
        disabled={set.denial !== undefined || set.isPending}
        onChange={(event) => handleChange(field, label, event.target.checked)}
      />
      <span>
        {label}
        <span className={css['help']}>{help}</span>
      </span>
    </label>
  ))
}
