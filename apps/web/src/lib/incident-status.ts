import type { Incident } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

type Chip = { label: string; tone: Tone }

/** The worst first. */
export const incidentSeverityChips: Record<Incident['severity'], Chip & { meaning: string }> = {
  sev1: { label: 'SEV1', tone: 'error', meaning: 'The console or a quarter of all sites' },
  sev2: { label: 'SEV2', tone: 'error', meaning: 'Several sites or one common cause' },
  sev3: { label: 'SEV3', tone: 'warning', meaning: 'One site down' },
  sev4: { label: 'SEV4', tone: 'info', meaning: 'Degraded' },
}

export const incidentSeverities = Object.keys(incidentSeverityChips) as Incident['severity'][]

/** In the order in which an incident goes through them. */
export const incidentStatusChips: Record<Incident['status'], Chip> = {
  open: { label: 'Open', tone: 'error' },
  investigating: { label: 'Investigating', tone: 'warning' },
  identified: { label: 'Identified', tone: 'warning' },
  monitoring: { label: 'Monitoring', tone: 'info' },
  resolved: { label: 'Resolved', tone: 'success' },
  merged: { label: 'Merged', tone: 'neutral' },
}

/** `INC-12` */
export const incidentName = (number: number): string => `INC-${number}`
