import * as security from '@agency/contract/descriptors/security'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinearGauge } from '../../ui/LinearGauge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { AdminKeyPanel } from './AdminKeyPanel.tsx'
import { Findings } from './Findings.tsx'
import { ScoreHistory } from './ScoreHistory.tsx'
import css from './security.module.css'
import { scoreTone } from './security-words.ts'

const dayMs = 24 * 60 * 60_000

export function ChecksTab() {
  const checks = useQuery(q(security.getSecurityChecks, {}))
  const start = useCall(security.runSecurityChecks, [security.getSecurityChecks])
  const run = checks.data?.run
  const runChecks = () => start.mutate({}, { failure: 'The checks did not run. The last result is kept.' })

  return (
    <div className={css['columns']}>
      <Panel
        title="Security checks"
        asOf={run?.at ?? (checks.data ? checks.dataUpdatedAt : null)}
        lifetimeMs={2 * dayMs}
        error={checks.error}
        onRetry={() => void checks.refetch()}
        loading={checks.isPending}
        skeleton={<SkeletonLines count={6} />}
        actions={
          <Button variant="outlined" size="small" loading={start.isPending} onClick={runChecks}>
            Run checks
          </Button>
        }
      >
        {run ? (
          <>
            <LinearGauge label="Score" value={run.score} text={`${run.score} of 100`} tone={scoreTone(run.score)} />
            <p className={`${css['muted']} ${css['by']}`}>
              Run by <bdi>{run.actor_name}</bdi>
            </p>
            <Findings findings={run.findings} />
          </>
        ) : (
          <EmptyState text="No checks yet. They run every night." compact />
        )}
      </Panel>
      <div className={css['side']}>
        <AdminKeyPanel ready={!checks.isPending} />
        <ScoreHistory history={checks.data?.history ?? []} />
      </div>
    </div>
  )
}
