import type { LifecycleRun } from '@agency/contract/types'
import { canRetry } from '../../platform/runs/change.ts'
import type { RunWithSteps, StepRow } from '../../platform/runs/queries.ts'
import type { Kind } from './plan.ts'
import { stepTitle } from './words.ts'

const toStep = (run: Kind, row: StepRow): LifecycleRun['steps'][number] => ({
  position: row.position,
  kind: row.name as LifecycleRun['steps'][number]['kind'],
  target_id: row.target_id,
  title: stepTitle(run, row),
  state: row.state as LifecycleRun['steps'][number]['state'],
  note: row.note,
  attempts: row.attempts,
  finished_at: row.finished_at?.toISOString() ?? null,
})

export function toRun(row: RunWithSteps): LifecycleRun {
  const isStuck = canRetry(row)
  return {
    id: row.id,
    kind: row.kind as Kind,
    state: row.state as LifecycleRun['state'],
    actor_name: row.actor_name,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    next_try_at: isStuck && row.state === 'running' ? (row.next_try_at?.toISOString() ?? null) : null,
    can_cancel: row.state === 'waiting',
    can_retry: isStuck,
    steps: row.steps.map((step) => toStep(row.kind as Kind, step)),
  }
}
