import * as billing from '@agency/contract/descriptors/billing'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { ActionState } from './ActionState.tsx'
import { DetailsFailure } from './DetailsFailure.tsx'
import { actionKinds } from './provider-words.ts'
import { StaticTable } from './StaticTable.tsx'

/** What was done to a subscription from here, by whom, and how it went. */
export function SubscriptionActions({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(q(billing.listMoneyActions, { query: { target: id } }))
  return (
    <>
      <DetailsFailure error={error} what="actions" at={undefined} onRetry={() => void refetch()} />
      {data ? (
        <StaticTable
          label="Actions"
          headers={['Action', 'State', 'By', '>Date']}
          empty="No actions from this console."
          rows={data.actions.map((action) => ({
            id: action.id,
            cells: [
              actionKinds[action.kind],
              <ActionState key="state" action={action} />,
              <bdi key="actor">{action.actor_name}</bdi>,
              <DateTime key="at" at={action.created_at} show="date-time" />,
            ],
          }))}
        />
      ) : error ? null : (
        <SkeletonLines count={3} />
      )}
    </>
  )
}
