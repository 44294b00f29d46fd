import type { Deployment, DeploymentStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

export const deploymentStatusChips: Record<DeploymentStatus, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  building: { label: 'Building', tone: 'info' },
  deploying: { label: 'Deploying', tone: 'info' },
  success: { label: 'Success', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

/** What a deployment is called: its version and commit; a rollback by those that it brings back. */
export function buildWords(deployment: Pick<Deployment, 'version' | 'commit_message' | 'restored'>) {
  const { restored } = deployment
  const build = restored ?? deployment
  const version = build.version ?? (restored ? 'an earlier build' : null)
  return { prefix: restored ? 'Rollback to ' : '', version, message: build.commit_message }
}

export const isOpenDeployment = (status: DeploymentStatus): boolean =>
  status === 'queued' || status === 'building' || status === 'deploying'
