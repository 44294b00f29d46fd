import type { DeploymentDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type DetailsRecord, findDetails } from '../queries/deployments.ts'

/** The account is filled in by the dashboard itself. The demo's provider has no dashboard. */
function pageOf(
  { config }: RequestContext,
  { provider, provider_deployment_id: id, lane }: DetailsRecord,
): string | null {
  if (config.mode === 'demo' || provider !== 'pages' || id === null) return null
  const project = encodeURIComponent(lane.replace(/^pages:/, ''))
  return `https://dash.cloudflare.com/?to=/:account/pages/view/${project}/${encodeURIComponent(id)}`
}

export async function getDeployment(ctx: RequestContext, id: string): Promise<DeploymentDetails> {
  const record = await findDetails(ctx.pool, id)
  if (!record) throw notFound(`Deployment ${id}`)
  const { lane: _lane, ...deployment } = record
  return { ...deployment, provider_page: pageOf(ctx, record) }
}
