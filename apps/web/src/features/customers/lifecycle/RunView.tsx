import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { LifecycleRun, LifecycleStep } from '@agency/contract/types'
import { useDenial } from '../../../lib/session.ts'
import { useCall } from '../../../lib/use-call.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './lifecycle.module.css'
import { runChips, runTitles, stepChips } from './lifecycle-words.ts'

const isOver = ({ state }: LifecycleStep): boolean => state === 'done' || state === 'skipped'

type Props = { customerId: string; run: LifecycleRun; open: boolean }

/** One suspension or deletion with its steps, as they are done. */
export function RunView({ customerId, run, open }: Props) {
  const done = run.steps.filter(isOver).length
  return (
    <details className={css['run']} open={open}>
      <summary>
        <span className={css['title']}>{runTitles[run.kind]}</span>
        <StatusChip {...runChips[run.state]} />
        <span className={css['who']}>
          <bdi>{run.actor_name}</bdi> · <DateTime at={run.created_at} show="date-time" />
        </span>
      </summary>
      {run.state === 'waiting' || run.state === 'running' ? (
        <Progress label={runTitles[run.kind]} done={done} total={run.steps.length} unit="steps" />
      ) : null}
      <ol className={css['steps']}>
        {run.steps.map((step) => (
          <li key={step.position} className={css['step']}>
            <span className={css['what']}>{step.title}</span>
            <StatusChip {...stepChips[step.state]} />
            {step.note ? <span className={css['note']}>{step.note}</span> : null}
          </li>
        ))}
      </ol>
      <RunActions customerId={customerId} run={run} />
    </details>
  )
}

function RunActions({ customerId, run }: Omit<Props, 'open'>) {
  const deleteDenial = useDenial(customerLifecycle.deleteCustomer)
  const reads = [customerLifecycle.getLifecycle]
  const retry = useCall(customerLifecycle.retryLifecycleRun, reads)
  const cancel = useCall(customerLifecycle.cancelLifecycleRun, reads)
  const denial = retry.denial ?? (run.kind === 'delete' || run.kind === 'erase' ? deleteDenial : undefined)
  const input = { params: { id: customerId, run: run.id } }
  if (!run.can_retry && !run.can_cancel) return null
  return (
    <div className={css['actions']}>
      {run.next_try_at ? (
        <span className={css['note']}>
          Next try <DateTime at={run.next_try_at} show="date-time" />
        </span>
      ) : null}
      {run.can_cancel ? (
        <ReasonedButton
          size="small"
          variant="outlined"
          blocked={denial}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(input, { failure: 'Could not be cancelled' })}
        >
          Cancel
        </ReasonedButton>
      ) : null}
      {run.can_retry ? (
        <ReasonedButton
          size="small"
          variant="outlined"
          blocked={denial}
          loading={retry.isPending}
          onClick={() => retry.mutate(input, { failure: 'The retry failed' })}
        >
          Try Again
        </ReasonedButton>
      ) : null}
    </div>
  )
}
