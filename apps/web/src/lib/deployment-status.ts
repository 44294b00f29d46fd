import type { DeploymentStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

export const deploymentStatusChips: Record<DeploymentStatus, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  building: { label: 'Building', tone: 'info' },
  deploying: { label: 'Deploying', tone: 'info' },
  success: { label: 'Success', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const isOpenDeployment = (status: DeploymentStatus): boolean =>
  status === 'queued' || status === 'building' || status === 'deploying'
