import type { DeploymentStage } from '@agency/contract/types'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { Duration } from './Duration.tsx'
import { stageChips, stageName } from './deployment-words.ts'
import css from './deployments.module.css'

/** The steps of a build in their order, each with how long it took. */
export function Stages({ stages }: { stages: readonly DeploymentStage[] }) {
  if (stages.length === 0) return null
  return (
    <ol className={css['stages']} aria-label="Stages">
      {stages.map((stage) => (
        <li key={stage.name} className={css['stage']} aria-current={stage.status === 'active' ? 'step' : undefined}>
          <span className={css['stageHead']}>
            <bdi>{stageName(stage.name)}</bdi>
            <span className={css['muted']}>
              <Duration deployment={timesOf(stage)} />
            </span>
          </span>
          <StatusChip {...stageChips[stage.status]} />
        </li>
      ))}
    </ol>
  )
}

function timesOf({ started_at, ended_at, status }: DeploymentStage) {
  const duration = started_at && ended_at ? Math.max(0, (Date.parse(ended_at) - Date.parse(started_at)) / 1000) : null
  return { started_at: status === 'active' ? started_at : null, completed_at: ended_at, duration }
}
