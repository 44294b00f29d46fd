import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of alerts, incidents and channels that changes something, ready to succeed. */
export function alertSamples(ctx: () => AppContext, root: () => Caller): Record<string, () => Promise<Sent>> {
  const alert = async (incidentId: string | null = null): Promise<string> => {
    const id = `alert_${randomUUID()}`
    await ctx().pool.query(
      `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
         last_seen_at, incident_id)
       values ($1, 'site.down', 'site', $1, 'Site', 'error', 'open', 'Site is down', '', now(), now(), $2)`,
      [id, incidentId],
    )
    return id
  }
  const sent = (path: string, body: unknown = {}): Sent => ({ caller: root(), path, body })
  const incident = async (): Promise<string> =>
    (await root().post('/incidents', { title: 'Checkout broken', severity: 'sev2' })).json().incident.id
  const channel = async (): Promise<string> => {
    const body = { kind: 'mail', name: randomUUID(), target: 'ops@example.com' }
    return (await root().post('/channels', body)).json().channel.id
  }
  const maintenance = () => ({
    ...{ title: 'New switches', silences: true, excludes_uptime: true, site_ids: [] },
    starts_at: new Date(ctx().clock() + 3_600_000).toISOString(),
    ends_at: new Date(ctx().clock() + 7_200_000).toISOString(),
  })

  return {
    acknowledgeAlert: async () => sent(`/alerts/${await alert()}/acknowledge`),
    snoozeAlert: async () =>
      sent(`/alerts/${await alert()}/snooze`, { until: new Date(ctx().clock() + 3_600_000).toISOString() }),
    assignAlert: async () => sent(`/alerts/${await alert()}/assign`, { user_id: null }),
    resolveAlert: async () => sent(`/alerts/${await alert()}/resolve`),
    updateAlertRule: async () => {
      const { rules } = (await root().get('/alert-rules')).json()
      return sent('/alert-rules/console.cpu_percent', {
        version: rules.find(({ key }: { key: string }) => key === 'console.cpu_percent').version,
        threshold: 70,
      })
    },
    createMaintenance: async () => sent('/maintenance-windows', maintenance()),
    endMaintenance: async () => {
      const { window } = (await root().post('/maintenance-windows', maintenance())).json()
      return sent(`/maintenance-windows/${window.id}/end`)
    },
    openIncident: async () => sent('/incidents', { title: 'Checkout broken', severity: 'sev2' }),
    updateIncident: async () => sent(`/incidents/${await incident()}`, { version: 1, status: 'investigating' }),
    addIncidentNote: async () => sent(`/incidents/${await incident()}/notes`, { text: 'The host was called' }),
    mergeIncident: async () => sent(`/incidents/${await incident()}/merge`, { into: await incident() }),
    splitIncident: async () => {
      const id = await incident()
      const [first] = [await alert(id), await alert(id)]
      return sent(`/incidents/${id}/split`, { alert_ids: [first], title: 'Apart' })
    },
    savePostmortem: async () => sent(`/incidents/${await incident()}/postmortem`, { markdown: '# Ours', version: 1 }),
    createChannel: async () => sent('/channels', { kind: 'mail', name: randomUUID(), target: 'ops@example.com' }),
    updateChannel: async () => sent(`/channels/${await channel()}`, { version: 1, name: randomUUID() }),
    deleteChannel: async () => ({ caller: root(), path: `/channels/${await channel()}` }),
    testChannel: async () => sent(`/channels/${await channel()}/test`),
  }
}
