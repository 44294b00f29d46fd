import * as notices from '@agency/contract/descriptors/incident-notices'
import type { Incident } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useDenial } from '../../../lib/session.ts'
import { MuiRoot } from '../../../theme/MuiRoot.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../incidents.module.css'
import { noticesOf } from '../incidents-search.ts'
import { NoticeForm } from './NoticeForm.tsx'
import { PublicUpdates } from './PublicUpdates.tsx'
import { ReceiverList } from './ReceiverList.tsx'
import { SentNotices } from './SentNotices.tsx'

export function CustomersTab({ incident }: { incident: Incident }) {
  const denial = useDenial(notices.getIncidentNotices)
  return (
    <MuiRoot>
      <div className={css['side']}>
        {denial ? (
          <EmptyState title="You may not see notices to customers" text={denial} />
        ) : (
          <Notices incident={incident} />
        )}
        <PublicUpdates incident={incident} />
      </div>
    </MuiRoot>
  )
}

function Notices({ incident }: { incident: Incident }) {
  const query = useQuery(noticesOf(incident.id))
  const data = query.data
  return (
    <>
      <ListFailure
        error={query.error}
        what="the notices"
        at={data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {data ? (
        data.receivers.length === 0 && data.notices.length === 0 ? (
          <EmptyState title="No affected customers" text="The affected sites belong to no customer." />
        ) : (
          <div className={css['columns']}>
            <div className={css['side']}>
              <NoticeForm incident={incident} state={data} />
              <SentNotices incident={incident} notices={data.notices} />
            </div>
            <ReceiverList receivers={data.receivers} />
          </div>
        )
      ) : query.isPending ? (
        <SkeletonLines count={10} />
      ) : null}
    </>
  )
}
