import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { Incident, SlaCredit } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useDenial } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../incidents.module.css'
import { creditsOf } from '../incidents-search.ts'
import { CreditPanel } from './CreditPanel.tsx'

const GiveCreditDialog = lazy(() => import('./GiveCreditDialog.tsx').then((m) => ({ default: m.GiveCreditDialog })))

export function CreditsTab({ incident }: { incident: Incident }) {
  const denial = useDenial(slaCredits.getSlaCredits)
  if (denial) return <EmptyState title="You may not see credits" text={denial} />
  return <Allowed incident={incident} />
}

function Allowed({ incident }: { incident: Incident }) {
  const [giving, setGiving] = useState<SlaCredit>()
  const query = useQuery(creditsOf(incident.id))
  const data = query.data
  return (
    <>
      <ListFailure
        error={query.error}
        what="the credits"
        at={data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {data ? (
        <>
          {data.is_over ? null : (
            <p className={css['notice']} role="note">
              You can give credits once the incident is resolved. Figures so far.
            </p>
          )}
          {data.measured_by === 'hours' ? (
            <p className={css['notice']} role="note">
              Downtime is rounded to hours: older checks are no longer kept.
            </p>
          ) : null}
          {data.credits.length === 0 ? (
            <EmptyState title="No affected customers" text="The sites of this incident belong to no customer." />
          ) : (
            <div className={css['side']}>
              {data.credits.map((credit) => (
                <CreditPanel key={credit.customer_id} credit={credit} onGive={() => setGiving(credit)} />
              ))}
            </div>
          )}
        </>
      ) : query.isPending ? (
        <SkeletonLines count={8} />
      ) : null}
      <Suspense>
        {giving ? <GiveCreditDialog incident={incident} credit={giving} onClose={() => setGiving(undefined)} /> : null}
      </Suspense>
    </>
  )
}
