import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'
import { makeSite } from '../../../../test/sites.ts'
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
  const customer = async (): Promise<string> => {
    const id = `cus_${randomUUID()}`
    await insertRows(ctx().pool, 'customers', [{ id, name: 'Castine Chandlery', email: 'ada@example.com' }])
    return id
  }
  /** An incident that affects the site of a customer. */
  const affecting = async (): Promise<string> => {
    const site = await makeSite(root())
    await ctx().pool.query('update sites set customer_id = $2 where id = $1', [site.id, await customer()])
    const id = await incident()
    const alertId = await alert(id)
    await ctx().pool.query(
      'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
      [alertId, site.id],
    )
    return id
  }
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
    sendIncidentNotice: async () =>
      sent(`/incidents/${await affecting()}/notices`, { subject: 'Problem', text: 'Hello' }),
    retryIncidentNotice: async () => {
      const id = await affecting()
      const body = { subject: 'Problem', text: 'Hello' }
      const { notice } = (await root().post(`/incidents/${id}/notices`, body)).json()
      const [{ customer_id }] = notice.receivers
      await ctx().pool.query(`update mails set state = 'failed' where kind = $1`, [`customer.incident:${customer_id}`])
      return sent(`/incidents/${id}/notices/${notice.id}/retry`, { customer_id })
    },
    setMailChoices: async () =>
      sent(`/stripe/customers/${await customer()}/mail-choices`, { version: 0, takes_notices: false }),
    addPublicUpdate: async () => sent(`/incidents/${await incident()}/public-updates`, { text: 'We are on it' }),
    saveStatusPage: async () => {
      const { version } = (await root().get('/status-pages/agency')).json().page
      return sent('/status-pages/agency', { version, is_on: true, title: 'Status', sites: [] })
    },
    savePostmortem: async () => sent(`/incidents/${await incident()}/postmortem`, { markdown: '# Ours', version: 1 }),
    createChannel: async () => sent('/channels', { kind: 'mail', name: randomUUID(), target: 'ops@example.com' }),
    updateChannel: async () => sent(`/channels/${await channel()}`, { version: 1, name: randomUUID() }),
    deleteChannel: async () => ({ caller: root(), path: `/channels/${await channel()}` }),
    testChannel: async () => sent(`/channels/${await channel()}/test`),
  }
}
