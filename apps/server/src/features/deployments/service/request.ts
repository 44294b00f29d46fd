import { randomInt } from 'node:crypto'
import type { DeploymentDetails, DeploymentKind } from '@agency/contract/types'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { type DeployTarget, deployTargetOf } from '../../sites/index.ts'
import { countWaiting, findEqual, insertRow, lockSite } from '../queries/rows.ts'
import { laneOf } from '../site.ts'
import { getDeployment } from './get-deployment.ts'

type Wanted = {
  kind: DeploymentKind
  reason: string | null
  retryOf?: string
  rolledBackTo?: string
  restoresEnvironment?: boolean
}

type Answer = { deployment: DeploymentDetails; is_repeat: boolean }

/** A second press of a button is no second wish. */
const sameWishMs = 10_000
const mostWaiting = 20

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const newDeploymentId = (): string =>
  `dep_${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`

const sameAsOf = ({ kind, retryOf, rolledBackTo, restoresEnvironment }: Wanted): string =>
  [kind, retryOf ?? rolledBackTo ?? '', restoresEnvironment ? 'environment' : ''].join(':')

/** Why the site cannot be deployed now, or null. */
export function whyNotDeployed(ctx: RequestContext, { site, provider }: DeployTarget): string | null {
  if (site.status === 'suspended') return 'The site is suspended: resume first'
  if (provider === null) return 'Choose a host under Configuration first'
  return provider.kind === 'pages' && !ctx.cloudflare ? 'Cloudflare is not connected' : null
}

async function insertQueued(tx: TransactionContext, target: DeployTarget, wanted: Wanted) {
  const { site, provider } = target
  const lane = laneOf(target)
  if (provider === null || lane === null) throw new Error('A site without a provider was refused before')
  if ((await countWaiting(tx.db, site.id)) >= mostWaiting)
    throw new AppError('conflict', `${mostWaiting} deployments of this site are already queued. Nothing was added.`)
  const id = newDeploymentId()
  await insertRow(tx.db, {
    ...{ id, site_id: site.id, kind: wanted.kind, origin: 'console', status: 'queued', reason: wanted.reason },
    ...{ provider: provider.kind, lane, same_as: sameAsOf(wanted), queued_at: new Date(tx.clock()) },
    ...{ retry_of: wanted.retryOf ?? null, rolled_back_to: wanted.rolledBackTo ?? null },
    restores_environment: wanted.restoresEnvironment ?? false,
    ...{ actor_type: tx.actor.type, actor_id: tx.actor.id, actor_name: tx.actor.name },
  })
  return id
}

const verbs = { deploy: 'create', retry: 'retry', rollback: 'roll_back' } as const

/** The deployment that an earlier call asked for, as it is by now. */
export const answerRequest = async (ctx: RequestContext, id: string): Promise<Answer> => ({
  deployment: await getDeployment(ctx, id),
  is_repeat: true,
})

/** Puts a deployment into the queue, in the transaction of the context if it is one; one that is like it and waits, or just began, is answered instead. */
export async function queueDeployment(
  ctx: RequestContext,
  siteId: string,
  wanted: Wanted,
  claim: Claim | null,
): Promise<{ id: string; isRepeat: boolean }> {
  const target = await deployTargetOf(ctx, siteId)
  if (!target) throw notFound(`Site ${siteId}`)
  return inTransaction(ctx, async (tx) => {
    await lockSite(tx.db, siteId)
    const equal = await findEqual(tx.db, siteId, sameAsOf(wanted), new Date(tx.clock() - sameWishMs))
    if (equal) {
      await bindKey(tx, claim, equal.id)
      return { id: equal.id, isRepeat: true }
    }
    const why = whyNotDeployed(ctx, target)
    if (why !== null) throw new AppError('conflict', `${why}. Nothing was changed.`)
    const made = await insertQueued(tx, target, wanted)
    await bindKey(tx, claim, made)
    const { kind, reason, retryOf, rolledBackTo, restoresEnvironment } = wanted
    await recordAudit(tx, {
      action: `deployment.${verbs[kind]}`,
      resource: 'deployment',
      id: made,
      after: {
        ...{ status: 'queued', site_id: siteId, domain: target.site.domain },
        ...(reason !== null && { reason }),
        ...(retryOf !== undefined && { retry_of: retryOf }),
        ...(rolledBackTo !== undefined && { rolled_back_to: rolledBackTo, restores_environment: restoresEnvironment }),
      },
    })
    return { id: made, isRepeat: false }
  })
}

export async function requestDeployment(
  ctx: RequestContext,
  siteId: string,
  wanted: Wanted,
  claim: Claim | null,
): Promise<Answer> {
  const { id, isRepeat } = await queueDeployment(ctx, siteId, wanted, claim)
  // This process hears of a change like all others, but its own next request may come sooner.
  if (!isRepeat) ctx.changes.tell('deployments')
  return { deployment: await getDeployment(ctx, id), is_repeat: isRepeat }
}
