import * as billing from '@agency/contract/descriptors/billing'
import type { Plan } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { type TabProps, useSettled } from '../../lib/use-settled.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './billing.module.css'
import { billingFailure } from './billing-failure.ts'
import { PlanCard } from './PlanCard.tsx'

const ghosts = ['a', 'b', 'c', 'd']

const failureOf = billingFailure('plans')

export function PlansTab({ onSettled }: TabProps) {
  const list = useQuery(q(billing.listPlans, {}))
  const plans = list.data?.plans
  useSettled(list, onSettled)
  return (
    <>
      <ListFailure
        error={list.error}
        wordsOf={failureOf}
        at={plans ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      {plans?.length === 0 ? (
        <EmptyState
          text={missingOf(list.data) ?? 'No plans yet. Products with a recurring price at Stripe appear here.'}
        />
      ) : null}
      <ul className={css['plans']} aria-label="Plans" aria-busy={list.isPending}>
        {list.isPending
          ? ghosts.map((ghost) => (
              <li key={ghost} className={css['ghost']}>
                <Skeleton width="50%" height={20} />
              </li>
            ))
          : null}
        {plans?.toSorted(byUse).map((plan) => (
          <li key={plan.id}>
            <PlanCard plan={plan} currency={list.data?.currency ?? 'usd'} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Plans that can be bought first, the most used of them first. */
function byUse(a: Plan, b: Plan): number {
  return Number(b.active) - Number(a.active) || b.active_count - a.active_count || a.name.localeCompare(b.name)
}
