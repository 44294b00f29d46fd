import type { Deployment, DeploymentDetails, RollbackPreview } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { deployTargetOf, environmentFor } from '../../sites/index.ts'
import { findServed } from '../queries/deployments.ts'
import { getDeployment } from './get-deployment.ts'
import { requestDeployment, whyNotDeployed } from './request.ts'

type Values = Readonly<Record<string, string>>

/** From the environment of now to that of then, by names. */
function difference(now: Values, then: Values) {
  const names = (of: Values) => Object.keys(of).sort()
  return {
    added: names(then).filter((name) => !Object.hasOwn(now, name)),
    removed: names(now).filter((name) => !Object.hasOwn(then, name)),
    changed: names(then).filter((name) => Object.hasOwn(now, name) && now[name] !== then[name]),
  }
}

async function compareEnvironments(
  ctx: RequestContext,
  siteId: string,
  version: number | null,
): Promise<RollbackPreview['environment']> {
  const now = await environmentFor(ctx, siteId)
  const then = version === null ? null : await environmentFor(ctx, siteId, version)
  const versions = { from_version: now?.version ?? null, to_version: then?.version ?? null }
  if (then === null) return { ...versions, added: [], removed: [], changed: [], can_restore: false }
  const differences = difference(now?.values ?? {}, then.values)
  return { ...versions, ...differences, can_restore: Object.values(differences).some((names) => names.length > 0) }
}

function wordsOf(to: Deployment, { from_version, to_version, can_restore }: RollbackPreview['environment']) {
  const restores = [
    `The build ${to.version ?? to.build_id ?? to.id} goes live again, with its files and built-in variables`,
  ]
  const keeps: string[] = []
  if (to_version === null) keeps.push('Its variables are unknown; the current ones stay')
  else if (can_restore)
    keeps.push(
      `Later builds use environment version ${from_version ?? 'none'}, unless you restore version ${to_version}`,
    )
  else keeps.push('The environment is the same')
  keeps.push('Commits stay: the next deployment builds the newest one')
  keeps.push('Data, domains and DNS records')
  return { restores, keeps }
}

async function findTarget(ctx: RequestContext, siteId: string, to: string): Promise<DeploymentDetails> {
  const found = await getDeployment(ctx, to)
  if (found.site_id !== siteId) throw notFound(`Deployment ${to} of this site`)
  return found
}

function rowOf(details: DeploymentDetails): Deployment {
  const {
    stages: _s,
    environment_note: _e,
    served: _v,
    provider_page: _p,
    is_log_complete: _l,
    logs: _g,
    ...row
  } = details
  return row
}

/** What going back would change, and why it cannot be done where it cannot. */
export async function previewRollback(ctx: RequestContext, siteId: string, toId: string): Promise<RollbackPreview> {
  const target = await deployTargetOf(ctx, siteId)
  if (!target) throw notFound(`Site ${siteId}`)
  const to = rowOf(await findTarget(ctx, siteId, toId))
  const from = await findServed(ctx.pool, siteId)
  const environment = await compareEnvironments(ctx, siteId, to.environment_version)
  const builtAt = Date.parse(to.completed_at ?? to.queued_at)
  return {
    ...{ to, from, environment },
    age_seconds: Math.max(0, Math.floor((ctx.clock() - builtAt) / 1000)),
    commits: { from: from?.commit_hash ?? null, to: to.commit_hash },
    ...wordsOf(to, environment),
    blocked: whyNotDeployed(ctx, target) ?? to.can.rollback,
  }
}

export async function rollBack(
  ctx: RequestContext,
  siteId: string,
  { to, reason, restore_environment }: { to: string; reason: string | null; restore_environment: boolean },
  claim: Claim | null,
): Promise<{ deployment: DeploymentDetails; is_repeat: boolean }> {
  const target = await findTarget(ctx, siteId, to)
  if (target.can.rollback !== null) throw new AppError('conflict', `${target.can.rollback}. Nothing was changed.`)
  const wanted = { kind: 'rollback', reason, rolledBackTo: to, restoresEnvironment: restore_environment } as const
  return requestDeployment(ctx, siteId, wanted, claim)
}
