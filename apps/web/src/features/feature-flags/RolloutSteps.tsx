import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag, FlagRollout, RolloutStep } from '@agency/contract/types'
import { useId } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { rolloutChips } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'

/** How far a rollout is, and what stops it. */
export function RolloutSteps({ flag, rollout }: { flag: FeatureFlag; rollout: FlagRollout }) {
  const title = useId()
  const { state, reason, steps } = rollout
  return (
    <section className={css['rollout']} aria-labelledby={title}>
      <header className={css['rolloutHead']}>
        <h3 id={title}>Rollout in steps</h3>
        <StatusChip {...rolloutChips[state]} />
        <span className={css['muted']}>
          Started by <bdi>{rollout.started_by}</bdi>, <DateTime at={rollout.started_at} show="date-time" />
          {rollout.needs_green ? ' · waits for green checks' : ''}
        </span>
        {state === 'running' || state === 'paused' ? <RolloutActs flag={flag} isPaused={state === 'paused'} /> : null}
      </header>
      {reason === null ? null : (
        <p role="note" className={css['stale']}>
          Paused: {reason}
        </p>
      )}
      <ol className={css['steps']}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a rollout never change
          <li key={index} data-state={step.state}>
            <span className={css['stepWhat']}>{step.enabled ? `${step.rollout_percentage}%` : 'Off'}</span>
            <Progress step={step} isOver={state === 'cancelled' || state === 'failed'} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Progress({ step, isOver }: { step: RolloutStep; isOver: boolean }) {
  if (step.done_at !== null)
    return (
      <span>
        Done <DateTime at={step.done_at} show="date-time" />
      </span>
    )
  if (isOver)
    return <span className={css['muted']}>{step.state === 'failed' ? (step.note ?? 'Failed') : 'Not taken'}</span>
  return (
    <span className={css['muted']}>
      {step.note ?? (
        <>
          Due <DateTime at={step.due_at} show="date-time" none="later" />
        </>
      )}
    </span>
  )
}

function RolloutActs({ flag: { id, name }, isPaused }: { flag: FeatureFlag; isPaused: boolean }) {
  const pause = useCall(featureFlags.pauseFlagRollout, flagReads)
  const resume = useCall(featureFlags.resumeFlagRollout, flagReads)
  const cancel = useCall(featureFlags.cancelFlagRollout, flagReads)
  const main = isPaused ? resume : pause
  const words = isPaused ? 'Resume' : 'Pause'
  return (
    <span className={css['rolloutActs']}>
      <ReasonedButton
        size="small"
        blocked={main.denial}
        loading={main.isPending}
        onClick={() =>
          main.mutate(
            { params: { id } },
            { success: `${words}d the rollout of ${name}`, failure: `Rollout of ${name}: nothing was changed` },
          )
        }
      >
        {words} rollout
      </ReasonedButton>
      <ReasonedButton
        size="small"
        color="error"
        blocked={cancel.denial}
        loading={cancel.isPending}
        onClick={() =>
          cancel.mutate(
            { params: { id } },
            { success: `Cancelled the rollout of ${name}`, failure: `Rollout of ${name}: nothing was changed` },
          )
        }
      >
        Cancel rollout
      </ReasonedButton>
    </span>
  )
}
