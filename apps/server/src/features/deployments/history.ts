import { inTransaction, type RequestContext } from '../../context.ts'
import { CloudflareError } from '../../integrations/cloudflare/errors.ts'
import type { PagesDeployment } from '../../integrations/cloudflare/pages-answers.ts'
import { recordAudit } from '../../platform/audit.ts'
import { noteDeployment } from '../sites/index.ts'
import { progressOf } from './providers/pages.ts'
import { countDeployments, findWithoutHistory, forgetHistories, keepHistory } from './queries/histories.ts'
import { findKnownIds, insertRow } from './queries/rows.ts'
import { newDeploymentId } from './service/request.ts'

const sitesAtOnce = 50
const kept = 25

function rowOf(siteId: string, lane: string, deployment: PagesDeployment) {
  const { status, failure, stages, startedAt, endedAt, ...build } = progressOf(deployment)
  const began = startedAt ?? new Date(deployment.created_on)
  const isOver = status === 'success' || status === 'failed'
  const completed = isOver ? (endedAt ?? began) : null
  return {
    ...{ id: newDeploymentId(), site_id: siteId, kind: 'deploy', origin: 'provider', provider: 'pages', lane },
    ...{ status, failure, same_as: `provider:${deployment.id}`, stages: JSON.stringify(stages) },
    ...{ provider_deployment_id: build.providerId, build_id: build.buildId, version: build.version, url: build.url },
    ...{ commit_hash: build.commitHash, commit_message: build.commitMessage, branch: build.branch },
    ...{ queued_at: new Date(deployment.created_on), started_at: began, completed_at: completed },
    duration:
      startedAt === null || endedAt === null
        ? null
        : Math.max(0, Math.round((endedAt.getTime() - startedAt.getTime()) / 1000)),
    is_log_complete: isOver,
  }
}

/** Previews of other branches are no deployments of the site, and what was skipped never ran. */
const isOfSite = ({ environment, is_skipped }: PagesDeployment): boolean => environment !== 'preview' && !is_skipped

async function takeIn(ctx: RequestContext, site: { id: string; project: string }): Promise<void> {
  const lane = `pages:${site.project}`
  const found = (await ctx.cloudflare?.in('bulk').listDeployments(site.project)) ?? []
  await inTransaction(ctx, async (tx) => {
    const now = new Date(tx.clock())
    const known = await findKnownIds(
      tx.db,
      lane,
      found.map(({ id }) => id),
    )
    const rows = found
      .filter((deployment) => isOfSite(deployment) && !known.has(deployment.id))
      .slice(0, kept)
      .map((deployment) => rowOf(site.id, lane, deployment))
      // What runs there now is not ours to follow: it is taken in once it is over, by whoever asks again.
      .filter(({ completed_at }) => completed_at !== null)
    for (const row of rows) await insertRow(tx.db, row)
    await keepHistory(tx.db, site.id, lane, now)
    const newest = rows.find(({ status }) => status === 'success')
    if (newest?.completed_at)
      await noteDeployment(tx, site.id, { state: 'succeeded', at: newest.completed_at, url: null, storageMb: null })
    await recordAudit(tx, {
      action: 'deployment.take_in',
      resource: 'site',
      id: site.id,
      after: { project: site.project, deployments: rows.length },
    })
  })
}

/**
 * Takes in what a project had before its site was linked to it. What cannot be asked now is asked with the next run; a
 * project that does not exist keeps no other from its turn.
 */
export async function takeHistories(ctx: RequestContext): Promise<void> {
  if (!ctx.cloudflare) return
  for (const site of await findWithoutHistory(ctx.db, sitesAtOnce)) {
    try {
      await takeIn(ctx, site)
    } catch (error) {
      ctx.log.warn({ err: error, site: site.id }, 'the past of a project could not be taken in')
      if (!(error instanceof CloudflareError && error.kind === 'not_found')) return
    }
  }
}

/** Once more for every site: what ran while nobody wrote it down is taken in like what ran before. Answers how many that are. */
export async function takeMissed(ctx: RequestContext): Promise<number> {
  const before = await countDeployments(ctx.db)
  await forgetHistories(ctx.db)
  for (let left = (await findWithoutHistory(ctx.db, sitesAtOnce)).length; left > 0; ) {
    await takeHistories(ctx)
    const now = (await findWithoutHistory(ctx.db, sitesAtOnce)).length
    // What cannot be asked now is asked by the job.
    if (now >= left) break
    left = now
  }
  return (await countDeployments(ctx.db)) - before
}
