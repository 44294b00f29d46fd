import type { Deployment, DeploymentKind, DeploymentStage } from '@agency/contract/types'
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
  return requested_by ?? (origin === 'provider' ? 'The provider' : 'Unknown')
}

export function ownerOf({
  customer_id,
  customer_name,
}: Pick<Deployment, 'customer_id' | 'customer_name'>): string | null {
  return customer_id === null ? null : nameOf({ id: customer_id, name: customer_name })
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
  if (isRepeat) return `An equal deployment of ${site_name} was waiting already, so none was added`
  return position === null || position === 1
    ? `The deployment of ${site_name} begins`
    : `The deployment of ${site_name} is queued at position ${position}`
}
