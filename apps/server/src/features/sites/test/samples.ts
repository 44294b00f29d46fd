import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { put } from '../../../../test/sites.ts'

type Sample = () => Promise<{ caller: Caller; path: string; body?: unknown }>

const fields = () => ({ site_name: 'Shop', domain: `shop-${randomUUID()}.example` })

/** One call of everything that is done to a site, ready to succeed. */
export function siteSamples(root: () => Caller): Record<string, Sample> {
  const site = async (): Promise<string> => `/sites/${(await root().post('/sites', fields())).json().site.id}`
  const on =
    (path: string, body?: unknown): Sample =>
    async () => ({ caller: root(), path: `${await site()}${path}`, body })
  return {
    createSite: async () => ({ caller: root(), path: '/sites', body: fields() }),
    updateSite: on('', { version: 1, site_name: 'Renamed' }),
    deleteSite: on(''),
    setSiteStatus: on('/status', { status: 'maintenance', reason: 'New menu' }),
    suspendSite: on('/suspend', { reason: 'Not paid' }),
    async resumeSite() {
      const path = await site()
      await root().post(`${path}/suspend`, { reason: 'Not paid' })
      return { caller: root(), path: `${path}/resume`, body: {} }
    },
    saveSiteEnvironment: on('/environment', { version: 0, set: { MODE: 'live' } }),
    async rollBackEnvironment() {
      const path = `${await site()}/environment`
      await put(root(), path, { version: 0, set: { MODE: 'test' } })
      await put(root(), path, { version: 1, set: { MODE: 'live' } })
      return { caller: root(), path: `${path}/rollback`, body: { version: 2, to: 1 } }
    },
    updateSiteChecks: on('/checks', { version: 0, interval_seconds: 300 }),
    updateSiteBeacon: on('/beacon', { version: 0, is_on: true }),
    updateSiteHeartbeat: on('/heartbeat', { version: 0, every_minutes: 10 }),
    rotateSiteHeartbeat: on('/heartbeat/address', {}),
    updateSiteSettings: on('/settings', { version: 1, health_path: '/health' }),
    importSites: async () => ({ caller: root(), path: '/sites/import', body: { sites: [fields()] } }),
  }
}
