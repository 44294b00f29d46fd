import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { call } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { ApiError } from '../../lib/problems.ts'
import type { Toasts } from '../../lib/toasts.ts'
import { useCall } from '../../lib/use-call.ts'
import { acknowledgeReason } from './alert-actions.ts'
import { alertReads } from './alerts-search.ts'

type Outcome = { done: Alert[]; failed: { alert: Alert; error: ApiError }[] }

/** One after the other: what was refused does not keep the others from it. */
async function acknowledgeAll(chosen: readonly Alert[]): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] }
  for (const alert of chosen) {
    try {
      await call(alerts.acknowledgeAlert, { params: { id: alert.id } })
      outcome.done.push(alert)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcome.failed.push({ alert, error })
    }
  }
  return outcome
}

const mostToasts = 3

function tell(toast: Toasts, { done, failed }: Outcome): void {
  const [first, ...others] = done
  if (first) {
    toast.success(
      others.length === 0 ? `Acknowledged: ${first.title}` : `Acknowledged ${formatCount(done.length)} alerts`,
    )
  }
  const [refused] = failed
  if (refused && failed.length > mostToasts)
    toast.error(`Not acknowledged: ${formatCount(failed.length)} alerts`, refused.error)
  else for (const { alert, error } of failed) toast.error(`Not acknowledged: ${alert.title}`, error)
}

export function useAcknowledge(onDone: () => void = () => {}) {
  const { mutate, isPending } = useCall(acknowledgeAll, alertReads)
  return {
    isPending,
    acknowledge: (chosen: readonly Alert[]) =>
      mutate(
        chosen.filter((alert) => acknowledgeReason(alert) === undefined),
        { success: tell, onSuccess: onDone },
      ),
  }
}
