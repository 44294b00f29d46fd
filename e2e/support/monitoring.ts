import { api, expect, hosting } from './test.ts'

export type WatchedSite = {
  id: string
  site_name: string
  domain: string
  health_status: string
  health_detail: string | null
}
export type Alert = {
  id: string
  rule: string
  severity: string
  status: string
  title: string
  detail: string
  subject_id: string
  incident_id: string | null
}
export type Incident = {
  id: string
  number: number
  severity: string
  status: string
  title: string
  opened_at: string
  version: number
}
type TimelineEvent = { kind: string; actor: string | null; text: string }

const misbehaving = new Set<string>()

/** How the sandbox plays this demo site from now on, until `repairSites`; with `build`, only while that build is served. */
export async function misbehave(label: string, behaviour: string, build: string | null = null): Promise<void> {
  misbehaving.add(label)
  await hosting('/behaviour', { label, behaviour, build })
}

export async function repairSites(): Promise<void> {
  for (const label of misbehaving) await hosting('/behaviour', { label, behaviour: null })
  misbehaving.clear()
}

/** A site of the demo, once the console has it. */
export async function watchedSite(label: string): Promise<WatchedSite> {
  let found: WatchedSite | undefined
  await expect(async () => {
    const { sites } = await api<{ sites: WatchedSite[] }>(`/sites?search=${label}.example`)
    found = sites.find(({ domain }) => domain === `${label}.example`)
    expect(found).toBeDefined()
  }).toPass()
  return found!
}

/** Looks until the site is judged like this: one failure is no outage yet. */
export async function lookUntil(label: string, health: string): Promise<WatchedSite> {
  const { id } = await watchedSite(label)
  await expect(async () => {
    await api(`/sites/${id}/probe`, { method: 'POST' })
    expect((await watchedSite(label)).health_status).toBe(health)
  }).toPass()
  return watchedSite(label)
}

/** What is active about a site. */
export async function activeAlerts({ id, site_name }: WatchedSite): Promise<Alert[]> {
  const { alerts } = await api<{ alerts: Alert[] }>(`/alerts?search=${encodeURIComponent(site_name)}&limit=50`)
  return alerts.filter(({ subject_id }) => subject_id === id)
}

/** Breaks a demo site, or with `build` what was deployed of it, and waits for the alert about it. */
export async function alertAfter(
  label: string,
  behaviour: string,
  health: string,
  build: string | null = null,
): Promise<Alert> {
  await misbehave(label, behaviour, build)
  const site = await lookUntil(label, health)
  // A site that is slow before it fails is told as degraded, for a moment: look on until the failure itself is told.
  let alert: Alert | undefined
  await expect(async () => {
    alert = (await activeAlerts(site)).find(({ rule }) => rule !== 'site.degraded')
    if (!alert) await api(`/sites/${site.id}/probe`, { method: 'POST' })
    expect(alert).toBeDefined()
  }).toPass()
  return alert!
}

export const alertOf = async (id: string) =>
  (await api<{ alert: Alert & { events: TimelineEvent[] } }>(`/alerts/${id}`)).alert

/** An incident that somebody opens by hand. */
export async function openIncident(
  title: string,
  severity = 'sev3',
  alertIds: readonly string[] = [],
): Promise<Incident> {
  const body = JSON.stringify({ title, severity, alert_ids: alertIds })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return (await api<{ incident: Incident }>('/incidents', { method: 'POST', body, headers })).incident
}

/** The console may write into it meanwhile: then it is read again. */
export async function resolveIncident({ id }: Pick<Incident, 'id'>): Promise<void> {
  await expect(async () => {
    const { version, status } = await incidentOf(id)
    if (status === 'resolved') return
    await api(`/incidents/${id}`, { method: 'PATCH', body: JSON.stringify({ version, status: 'resolved' }) })
  }).toPass()
}

export const incidentOf = async (id: string) =>
  (await api<{ incident: Incident & { events: TimelineEvent[] } }>(`/incidents/${id}`)).incident

export async function auditActions(resource: string, id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=${resource}&resource_id=${encodeURIComponent(id)}`,
  )
  return entries.map(({ action }) => action)
}
