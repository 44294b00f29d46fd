import type { Deployment, DeploymentKind, DeploymentStage } from '@agency/contract/types'
import { buildWords, deploymentStatusChips } from '../../lib/deployment-status.ts'
import { nameOf } from '../../lib/names.ts'
import type { Tone } from '../../theme/palette.ts'

export const kindLabels: Record<DeploymentKind, string> = { deploy: 'Deploy', retry: 'Retry', rollback: 'Rollback' }

export const providerLabels: Record<Deployment['provider'], string> = {
  pages: 'Cloudflare Pages',
  hook: 'Deploy hook',
}

export const stageChips: Record<DeploymentStage['status'], { label: string; tone: Tone }> = {
  idle: { label: 'Waiting', tone: 'neutral' },
  active: { label: 'Running', tone: 'info' },
  success: { label: 'Done', tone: 'success' },
  failure: { label: 'Failed', tone: 'error' },
  canceled: { label: 'Cancelled', tone: 'neutral' },
  skipped: { label: 'Skipped', tone: 'neutral' },
}

/** `clone_repo` reads as `Clone repo`. */
export function stageName(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function requesterOf({ requested_by, origin }: Pick<Deployment, 'requested_by' | 'origin'>): string {
  return requested_by ?? (origin === 'provider' ? 'Cloudflare' : 'Unknown')
}

export function ownerOf({
  customer_id,
  customer_name,
}: Pick<Deployment, 'customer_id' | 'customer_name'>): string | null {
  return customer_id === null ? null : nameOf({ id: customer_id, name: customer_name })
}

/** "Deploy of abc1234 · Bake more bread", "Rollback to 3f2a91c · Fix header". */
export function titleOf(deployment: Pick<Deployment, 'kind' | 'version' | 'commit_message' | 'restored'>): string {
  const { prefix, version, message } = buildWords(deployment)
  const name = prefix ? prefix + version : kindLabels[deployment.kind] + (version === null ? '' : ` of ${version}`)
  return message ? `${name} · ${message}` : name
}

/** What a build is called in sentences: its version, or else the deployment's id. */
export function buildOf({ version, id }: Pick<Deployment, 'version' | 'id'>): string {
  return version ?? id
}

/** What became of a press that begins a deployment. */
export function startedText(
  { site_name, position }: Pick<Deployment, 'site_name' | 'position'>,
  isRepeat: boolean,
): string {
  if (isRepeat) return `The same deployment of ${site_name} is already queued`
  return position === null || position === 1
    ? `Deploying ${site_name}`
    : `Deploying ${site_name}: position ${position} in the queue`
}

/** What a cancel does, as far as the host can be stopped. */
export function cancelReach({ status, provider }: Pick<Deployment, 'status' | 'provider'>): string[] {
  const stays = 'The live build stays'
  if (status === 'queued') return ['Removed from the queue; nothing is sent to the host', stays]
  if (provider === 'pages') return ['The build is stopped at Cloudflare', stays]
  return ['The console stops following the deployment', 'Deploy hooks cannot be stopped: the build may still go live']
}

/** What became of one that was cancelled: it may have ended by itself before. */
export function cancelledText({
  status,
  site_name,
  cancel_requested_at,
}: Pick<Deployment, 'status' | 'site_name' | 'cancel_requested_at'>): string {
  if (status === 'cancelled') return `Cancelled the deployment of ${site_name}`
  if (cancel_requested_at) return `Cancelling the deployment of ${site_name}`
  return `The deployment of ${site_name} had already ended: ${deploymentStatusChips[status].label.toLowerCase()}`
}
