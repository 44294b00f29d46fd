import * as notices from '@agency/contract/descriptors/incident-notices'
import type { NoticeReceiver } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { DetailsDialog } from '../../../ui/DetailsDialog.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../incidents.module.css'
import { type NoticeFields, nameOf } from './notice-words.ts'

type Props = {
  incidentId: string
  receivers: readonly NoticeReceiver[]
  words: NoticeFields
  onClose: () => void
}

/** The email as one customer gets it, filled in by the server as it will be sent. */
export function PreviewDialog({ incidentId, receivers, words, onClose }: Props) {
  const first = receivers.find(({ standing }) => standing === 'ready') ?? receivers[0]
  const [customerId, setCustomerId] = useState(first?.customer_id ?? '')
  const { data, error, refetch } = useQuery({
    ...q(notices.previewIncidentNotice, {
      params: { id: incidentId },
      body: { ...words, customer_id: customerId },
    }),
    gcTime: 0,
  })
  return (
    <DetailsDialog title="Preview" onClose={onClose}>
      <div className={css['notices']}>
        <SelectField
          label="Customer"
          value={customerId}
          onChange={setCustomerId}
          choices={receivers.map((receiver) => ({ value: receiver.customer_id, label: nameOf(receiver) }))}
        />
        {error ? <SectionError error={error} onRetry={() => void refetch()} /> : null}
        {data ? (
          <article aria-label="Email" className={css['email']}>
            <p className={css['muted']}>
              To <bdi>{data.to ?? 'nobody (no email address)'}</bdi>
            </p>
            <h3 className={css['heading']}>
              <bdi>{data.subject}</bdi>
            </h3>
            <p className={css['emailText']}>{data.text}</p>
          </article>
        ) : error ? null : (
          <SkeletonLines count={6} />
        )}
      </div>
    </DetailsDialog>
  )
}
