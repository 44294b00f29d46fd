import type { PerformancePoint, SitePerformance } from '@agency/contract/types'
import { formatDate, formatTime } from '../../../lib/format-time.ts'
import { incidentName } from '../../../lib/incident-status.ts'

type Deployment = SitePerformance['deployments'][number]
type Incident = SitePerformance['incidents'][number]
/** An incident began or ended. */
export type IncidentTurn = { incident: Incident; turn: 'began' | 'ended' }

/** A span of the range, also one in which nothing was measured, with the deployments and the incidents that turned in it. */
export type Slot = { at: string; point: PerformancePoint | null; deployments: Deployment[]; incidents: IncidentTurn[] }

export function slotsOf(performance: SitePerformance): Slot[] {
  const step = performance.bucket_seconds * 1000
  const start = Date.parse(performance.since)
  const slots: Slot[] = []
  for (let at = start; at <= Date.parse(performance.until); at += step) {
    slots.push({ at: new Date(at).toISOString(), point: null, deployments: [], incidents: [] })
  }
  const slotAt = (at: string) => slots[Math.floor((Date.parse(at) - start) / step)]
  for (const point of performance.series) {
    const slot = slotAt(point.at)
    if (slot) slot.point = point
  }
  for (const deployment of performance.deployments) slotAt(deployment.at)?.deployments.push(deployment)
  for (const incident of performance.incidents) {
    slotAt(incident.opened_at)?.incidents.push({ incident, turn: 'began' })
    if (incident.resolved_at) slotAt(incident.resolved_at)?.incidents.push({ incident, turn: 'ended' })
  }
  return slots
}

const daySeconds = 86_400

/** As it stands below the chart. */
export function tickOf(at: string, { bucket_seconds, range }: SitePerformance): string {
  if (bucket_seconds >= daySeconds || range === '30d' || range === '7d') return formatDate(at).replace(/\/\d{4}$/, '')
  return formatTime(at)
}

export const spanName = (at: string, { bucket_seconds }: Pick<SitePerformance, 'bucket_seconds'>): string =>
  bucket_seconds >= daySeconds ? formatDate(at) : `${formatDate(at)}, ${formatTime(at)}`

export function deploymentWords({ kind, status, version }: Deployment): string {
  const what = kind === 'rollback' ? 'Rollback' : 'Deployment'
  return [what, version, status === 'failed' ? 'failed' : null].filter((part) => part !== null).join(' ')
}

export function turnWords({ incident, turn }: IncidentTurn): string {
  const what = `${incidentName(incident.number)} ${turn}`
  return incident.is_false_positive ? `${what} (false positive)` : what
}
