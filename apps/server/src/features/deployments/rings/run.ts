import type { RequestContext, TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepPayload } from '../../../platform/runs/change.ts'
import { durableRun, type Later, type Outcome } from '../../../platform/runs/durable-run.ts'
import { findSteps, type RunRow, type StepRow } from '../../../platform/runs/queries.ts'
import { newTroubleOf } from '../../feature-flags/index.ts'
import { notify } from '../../notifications/index.ts'
import { countOutcomes, type RingPayload } from '../queries/rings.ts'
import { queueDeployment } from '../service/request.ts'
import { ringsName } from './names.ts'

const lookMs = 20_000
const minuteMs = 60_000

type Options = { wait_minutes: number; reason: string | null }
const payloadOf = ({ payload }: StepRow): RingPayload => payload as RingPayload
const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Sites on their way through the rings: the first ring goes at once, each other one once those before it are well. */
export const ringsRun = durableRun({
  name: ringsName,
  steps: { ring, end },
  topics: ['deployments'],
  judge: (error) => {
    const isOurs = error instanceof AppError && error.code !== 'internal'
    return {
      reason: isOurs ? error.message.replace(/\.$/, '') : 'Unknown error',
      isFinal: isOurs && error.code === 'conflict',
    }
  },
  mostTries: 12,
  async failed(tx, run, _step, reason) {
    await notify(tx, {
      ...{ dedupeKey: `deployments.rings:${run.id}:${tx.clock()}`, type: 'deployment.failed', severity: 'error' },
      permission: 'sites.read',
      title: 'A redeployment in rings stopped',
      body: `${reason}. Check the failed sites, then continue or cancel the redeployment.`,
      link: '/admin/deployments',
    })
  },
})

async function ring(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome | Later> {
  const later = await waitFor(ctx, run, step, (run.options as Options).wait_minutes)
  if (later) return later
  return { state: 'done', record: (tx) => deployRing(tx, run, step) }
}

/** The run is over only when all that it began is. */
async function end(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome | Later> {
  return (await waitFor(ctx, run, step, 0)) ?? { state: 'done' }
}

/** What is still to come before this step; null: nothing. Throws where somebody has to decide. */
async function waitFor(ctx: RequestContext, run: RunRow, step: StepRow, minutes: number): Promise<Later | null> {
  const before = (await findSteps(ctx.db, [run.id])).filter(({ position }) => position < step.position)
  const last = before.at(-1)
  if (!last) return null
  const { under_way, failed } = await countOutcomes(
    ctx,
    before.flatMap((one) => payloadOf(one).deployment_ids),
  )
  const at = (ms: number, note: string): Later => ({ state: 'later', until: new Date(ctx.clock() + ms), note })
  if (under_way > 0) return at(lookMs, `Waiting: ${some(under_way, 'deployment')} under way`)
  if (failed > payloadOf(step).accepted)
    throw new AppError('conflict', `${some(failed, 'deployment')} failed or ${failed === 1 ? 'was' : 'were'} cancelled`)
  if (step.name === 'end') return null
  const since = last.finished_at ?? run.created_at
  const due = since.getTime() + minutes * minuteMs
  if (due > ctx.clock()) return { state: 'later', until: new Date(due) }
  const trouble = await newTroubleOf(
    ctx,
    before.flatMap((one) => payloadOf(one).site_ids),
    before[0]?.finished_at ?? since,
  )
  return trouble === null ? null : at(minuteMs, `Waiting: ${trouble}`)
}

/** Under the name of whoever began it all. */
async function deployRing(tx: TransactionContext, run: RunRow, step: StepRow): Promise<void> {
  const { actor_type, actor_id, actor_name, options } = run
  const actor = { ...tx.actor, type: actor_type as typeof tx.actor.type, id: actor_id, name: actor_name }
  const { reason } = options as Options
  const payload = payloadOf(step)
  const deploymentIds: string[] = []
  for (const siteId of payload.site_ids) {
    const id = await requested({ ...tx, actor }, siteId, reason)
    if (id !== null) deploymentIds.push(id)
  }
  const skipped = payload.site_ids.length - deploymentIds.length
  await keepPayload(tx, step, { ...payload, deployment_ids: deploymentIds, skipped })
}

/** null: it cannot be deployed now, which is no reason to hold up the others. */
async function requested(tx: TransactionContext, siteId: string, reason: string | null): Promise<string | null> {
  try {
    return (await queueDeployment(tx, siteId, { kind: 'deploy', reason }, null)).id
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')) return null
    throw error
  }
}
