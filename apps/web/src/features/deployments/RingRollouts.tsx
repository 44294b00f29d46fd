import * as deploymentRings from '@agency/contract/descriptors/deployment-rings'
import type { DeploymentRing, RingRollout } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './rings.module.css'

const reads = [deploymentRings.listRingRollouts]

const chips = {
  running: { label: 'Running', tone: 'info' },
  failed: { label: 'Stopped', tone: 'error' },
  done: { label: 'Done', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
} as const satisfies Record<RingRollout['state'], object>

const ringWords: Record<DeploymentRing['state'], string> = {
  waiting: 'Waiting',
  due: 'Due',
  deploying: 'Deploying',
  done: 'Deployed',
  cancelled: 'Not begun',
  failed: 'Failed',
}

/** Redeployments in rings that are not over, or that stopped: what they wait for. */
export function RingRollouts() {
  const denial = useDenial(deploymentRings.listRingRollouts)
  const { data } = useQuery({ ...q(deploymentRings.listRingRollouts, {}), enabled: denial === undefined })
  const open = data?.rollouts.filter(({ state }) => state === 'running' || state === 'failed') ?? []
  return open.map((rollout) => <Rollout key={rollout.id} rollout={rollout} />)
}

function Rollout({ rollout }: { rollout: RingRollout }) {
  const { id, state, problem, reason, rings, started_by, started_at } = rollout
  const goOn = useCall(deploymentRings.continueRingRollout, reads)
  const cancel = useCall(deploymentRings.cancelRingRollout, reads)
  const sites = rings.reduce((sum, ring) => sum + ring.sites, 0)
  const name = `Redeploying ${formatCount(sites)} ${sites === 1 ? 'site' : 'sites'} in rings`
  const params = { id }
  return (
    <div className={css['rollout']}>
      <Panel
        title={name}
        actions={
          <>
            <StatusChip {...chips[state]} />
            {state === 'failed' ? (
              <ReasonedButton
                size="small"
                blocked={goOn.denial}
                loading={goOn.isPending}
                onClick={() => goOn.mutate({ params }, { success: 'Continued', failure: 'Not continued' })}
              >
                Continue anyway
              </ReasonedButton>
            ) : null}
            <ReasonedButton
              size="small"
              color="error"
              blocked={cancel.denial}
              loading={cancel.isPending}
              onClick={() =>
                cancel.mutate({ params }, { success: 'No further ring is begun', failure: 'Not cancelled' })
              }
            >
              Cancel
            </ReasonedButton>
          </>
        }
      >
        <p className={css['muted']}>
          Started by <bdi>{started_by}</bdi>, <DateTime at={started_at} show="date-time" />
          {reason === null ? null : (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </p>
        {problem === null ? null : (
          <p role="note" className={css['problem']}>
            {problem}
          </p>
        )}
        <ol className={css['rings']} aria-label="Rings">
          {rings.map((ring) => (
            <li key={ring.percentage}>
              <span className={css['share']}>{ring.percentage}%</span>
              <span>{ringText(ring)}</span>
              <span className={css['muted']}>{ring.state === 'waiting' ? ring.note : null}</span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}

function ringText({ state, sites, succeeded, failed, skipped }: DeploymentRing): string {
  const parts = [`${ringWords[state]}: ${succeeded} of ${sites}`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (skipped > 0) parts.push(`${skipped} skipped`)
  return parts.join(', ')
}
