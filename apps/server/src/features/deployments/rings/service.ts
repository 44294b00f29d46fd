import { randomUUID } from 'node:crypto'
import type { DeploymentRing, RingRollout, startRingRollout } from '@agency/contract/deployment-rings'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { beginRun, cancelRun, keepPayload, retryRun } from '../../../platform/runs/change.ts'
import { findSteps, lockRun, type RunRow } from '../../../platform/runs/queries.ts'
import { countOutcomes, findInOrder, findRingRuns, type RingPayload, type RingsRow } from '../queries/rings.ts'
import { cutRings } from './cut.ts'
import { ringsName } from './names.ts'

const shown = 10

type Step = RingsRow['steps'][number]

function stateOf({ state, under_way, failed }: Step): DeploymentRing['state'] {
  if (state === 'done' || state === 'skipped') return under_way > 0 ? 'deploying' : failed > 0 ? 'failed' : 'done'
  return state === 'running' ? 'due' : (state as DeploymentRing['state'])
}

function toRollout({ id, state, options, steps, ...row }: RingsRow): RingRollout {
  const problem = state === 'failed' ? (steps.find((step) => step.state === 'failed')?.note ?? null) : null
  return {
    ...{ id, state: state === 'waiting' ? 'running' : state, problem, ...options },
    ...{ started_by: row.actor_name, started_at: row.created_at.toISOString() },
    finished_at: row.finished_at?.toISOString() ?? null,
    rings: steps
      .filter(({ name }) => name === 'ring')
      .map((step) => ({
        ...{ percentage: step.payload.percentage, sites: step.payload.site_ids.length, skipped: step.payload.skipped },
        ...{ succeeded: step.succeeded, failed: step.failed, state: stateOf(step), note: step.note },
        started_at: step.finished_at,
      })),
  }
}

export const listRollouts = async (ctx: RequestContext): Promise<RingRollout[]> =>
  (await findRingRuns(ctx, null, shown)).map(toRollout)

export async function getRollout(ctx: Pick<RequestContext, 'db'>, id: string): Promise<RingRollout> {
  const [row] = await findRingRuns(ctx, id, 1)
  if (!row) throw notFound(`Redeployment ${id}`)
  return toRollout(row)
}

export async function startRings(
  ctx: RequestContext,
  { site_ids, rings, wait_minutes, reason }: BodyOf<typeof startRingRollout>,
  claim: Claim | null,
): Promise<RingRollout> {
  const id = randomUUID()
  const asked = [...new Set(site_ids)]
  await inTransaction(ctx, async (tx) => {
    const ordered = await findInOrder(tx, asked)
    if (ordered.length < asked.length) throw invalidParameter('site_ids', 'names a site that does not exist')
    await bindKey(tx, claim, id)
    const empty = { deployment_ids: [], skipped: 0, accepted: 0 }
    const steps = cutRings(ordered, rings).map(({ percentage, members }) => ({
      ...{ name: 'ring', target: null, payload: { percentage, site_ids: members, ...empty } satisfies RingPayload },
    }))
    const last = { name: 'end', target: null, payload: { percentage: 100, site_ids: [], ...empty } }
    await beginRun(tx, {
      ...{ id, name: ringsName, kind: 'rings', subject: id, topic: 'deployments', options: { wait_minutes, reason } },
      steps: [...steps, last],
    })
    await recordAudit(tx, {
      ...{ action: 'deployment.start_rings', resource: 'deployment_rings', id },
      after: {
        sites: ordered.length,
        rings: steps.map(({ payload }) => payload.site_ids.length),
        wait_minutes,
        reason,
      },
    })
  })
  return getRollout(ctx, id)
}

async function lockRings(tx: TransactionContext, id: string): Promise<RunRow> {
  const run = await lockRun(tx.db, id)
  if (run?.name !== ringsName) throw notFound(`Redeployment ${id}`)
  return run
}

/** Done twice it changes nothing. */
export async function continueRings(ctx: RequestContext, id: string): Promise<RingRollout> {
  await inTransaction(ctx, async (tx) => {
    const run = await lockRings(tx, id)
    if (run.state === 'done' || run.state === 'cancelled')
      throw new AppError('conflict', 'It is over. Start another one.')
    if (run.state !== 'failed') return
    const steps = await findSteps(tx.db, [id])
    const begun = steps.flatMap(({ payload }) => (payload as RingPayload).deployment_ids)
    const { failed } = await countOutcomes(tx, begun)
    for (const step of steps)
      if (step.state === 'failed' || step.state === 'waiting')
        await keepPayload(tx, step, { ...(step.payload as RingPayload), accepted: failed })
    await retryRun(tx, run)
    await recordAudit(tx, {
      ...{ action: 'deployment.continue_rings', resource: 'deployment_rings', id },
      after: { accepted: failed },
    })
  })
  return getRollout(ctx, id)
}

export async function cancelRings(ctx: RequestContext, id: string): Promise<RingRollout> {
  await inTransaction(ctx, async (tx) => {
    const run = await lockRings(tx, id)
    if (run.state === 'done' || run.state === 'cancelled') return
    await cancelRun(tx, run)
    await recordAudit(tx, {
      action: 'deployment.cancel_rings',
      resource: 'deployment_rings',
      id,
      before: { state: run.state },
    })
  })
  return getRollout(ctx, id)
}
