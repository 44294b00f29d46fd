import type { QueueRun } from '@agency/contract/types'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { stepChips, stepName } from './queue-words.ts'
import css from './queues.module.css'

export function RunSteps({ steps }: { steps: QueueRun['steps'] }) {
  return (
    <ol className={css['steps']} aria-label="Steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their position
        <li key={index}>
          <span>
            {index + 1}. {stepName(step.name)}
          </span>
          <StatusChip {...stepChips[step.state]} />
          {step.note === null ? null : (
            <span className={css['note']}>
              <bdi>{step.note}</bdi>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
