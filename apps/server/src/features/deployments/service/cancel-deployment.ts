import { randomUUID } from 'node:crypto'
import type { DeploymentDetails } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { deployTargetOf } from '../../sites/index.ts'
import { type DeploymentRow, lockRow, patchRow } from '../queries/rows.ts'
import { finish, isOver } from '../runner/finish.ts'
import { stopAtProvider } from '../runner/stop.ts'
import { laneOf, providerOf } from '../site.ts'
import { getDeployment } from './get-deployment.ts'

/** Longer than asking the provider takes; if this process ends meanwhile, another one ends the deployment after it. */
const leaseMs = 10_000

/** Takes a running deployment from whoever works on it. Answers null when there is nothing to stop any more. */
function take(ctx: RequestContext, id: string, owner: string, claim: Claim | null): Promise<DeploymentRow | null> {
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    const row = await lockRow(tx.db, id)
    if (!row) throw notFound(`Deployment ${id}`)
    if (isOver(row)) return null
    if (row.origin === 'provider')
      throw new AppError('conflict', 'Not started here: stop the deployment at Cloudflare. Nothing was changed.')
    if (row.built_at !== null) throw new AppError('conflict', 'Already live. Roll back instead.')
    if (row.cancel_requested_at !== null) return null
    const now = new Date(tx.clock())
    await recordAudit(tx, {
      action: 'deployment.cancel',
      resource: 'deployment',
      id,
      before: { status: row.status },
      after: { state: 'requested', site_id: row.site_id },
    })
    const change = { cancel_requested_at: now, cancelled_by: tx.actor.name }
    if (row.status === 'queued') {
      await patchRow(tx.db, id, change)
      await finish(tx, row, { status: 'cancelled', failure: 'Cancelled before the start' })
      return null
    }
    await patchRow(tx.db, id, { ...change, lease_owner: owner, lease_until: new Date(tx.clock() + leaseMs) })
    return row
  })
}

async function stop(ctx: RequestContext, row: DeploymentRow): Promise<string> {
  const target = await deployTargetOf(ctx, row.site_id)
  if (!target || laneOf(target) !== row.lane) return 'The site has another project now: nothing to stop'
  try {
    return await stopAtProvider(ctx, row.id, providerOf(ctx, target))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `Not stopped at the host: ${error.message}`
  }
}

/** Ends a deployment: at once in the queue, within seconds at the provider. One that is over stays as it is. */
export async function cancelDeployment(
  ctx: RequestContext,
  id: string,
  claim: Claim | null,
): Promise<{ deployment: DeploymentDetails }> {
  const owner = `cancel ${randomUUID()}`
  const running = await take(ctx, id, owner, claim)
  if (running !== null) {
    const failure = await stop(ctx, running)
    await inTransaction(ctx, async (tx) => {
      const row = await lockRow(tx.db, id)
      if (row?.lease_owner === owner) await finish(tx, row, { status: 'cancelled', failure })
    })
  }
  ctx.changes.tell('deployments')
  return { deployment: await getDeployment(ctx, id) }
}
