import type { SystemHealth } from '@agency/contract/types'
import { healthParts, partLabels } from '../../lib/health-status.ts'
import type { ApiError } from '../../lib/problems.ts'
import { Age } from '../../ui/Age.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './health.module.css'

const lifetimeMs = 2 * 60_000

type Props = { health: SystemHealth | undefined; error: ApiError | null; onRetry: () => void }

export function HealthParts({ health, error, onRetry }: Props) {
  return (
    <Panel
      title="Services"
      asOf={health?.lastCheck ?? null}
      lifetimeMs={lifetimeMs}
      error={error}
      onRetry={onRetry}
      loading={health === undefined}
      skeleton={
        <div style={{ padding: '0 16px' }}>
          <SkeletonLines count={healthParts.length} />
        </div>
      }
      flush
    >
      {health ? (
        <ul className={css['parts']} aria-label="Parts">
          {healthParts.map(([name, label]) => {
            const { status, detail, checked_at } = health[name]
            return (
              <li key={name} className={css['part']}>
                <span className={css['label']}>{label}</span>
                <span>
                  <StatusChip {...partLabels[status]} />
                </span>
                <p>{detail}</p>
                <span className={css['muted']}>
                  {checked_at === null ? 'Not checked' : <Age at={checked_at} lifetimeMs={lifetimeMs} />}
                </span>
              </li>
            )
          })}
        </ul>
      ) : null}
    </Panel>
  )
}
