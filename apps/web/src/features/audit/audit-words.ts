import type { AuditEntry, AuditVerification } from '@agency/contract/types'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const actorLabels: Record<AuditEntry['actor_type'], string> = {
  user: 'Person',
  admin_key: 'Admin key',
  api_key: 'API key',
  job: 'Job',
  webhook: 'Webhook',
  anonymous: 'Not signed in',
}

export const outcomeChips: Record<AuditEntry['outcome'], Chip> = {
  done: { label: 'Done', tone: 'success' },
  denied: { label: 'Denied', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
}

export const verificationChips: Record<AuditVerification['state'], Chip> = {
  running: { label: 'Checking', tone: 'info' },
  intact: { label: 'Intact', tone: 'success' },
  broken: { label: 'Broken', tone: 'error' },
  no_anchor: { label: 'No anchor', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  failed: { label: 'Not finished', tone: 'warning' },
}
