import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { PlanPromise } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useDenial } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { promiseText } from './promise-fields.ts'

const PromiseDialog = lazy(() => import('./PromiseDialog.tsx').then((m) => ({ default: m.PromiseDialog })))

/** What a plan promises about uptime, with the way to change it. */
export function PromiseFact({ planId }: { planId: string }) {
  const { data, error, refetch } = useQuery(q(slaCredits.listUptimePromises, {}))
  const promise = data?.promises.find(({ plan_id }) => plan_id === planId)
  if (!promise && !error) return null
  return (
    <div>
      <dt>Uptime promise</dt>
      <dd>
        {promise ? (
          <>
            {promiseText(promise)} <Edit promise={promise} />
          </>
        ) : (
          <>
            Failed to load{' '}
            <Button size="small" aria-label="Retry loading the uptime promise" onClick={() => void refetch()}>
              Retry
            </Button>
          </>
        )}
      </dd>
    </div>
  )
}

function Edit({ promise }: { promise: PlanPromise }) {
  const [isOpen, setOpen] = useState(false)
  const denial = useDenial(slaCredits.setUptimePromise)
  return (
    <>
      <ReasonedButton
        size="small"
        aria-haspopup="dialog"
        aria-label={`Change the uptime promise of ${promise.plan_name}`}
        blocked={denial}
        onClick={() => setOpen(true)}
      >
        Change
      </ReasonedButton>
      <Suspense>{isOpen ? <PromiseDialog promise={promise} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}
