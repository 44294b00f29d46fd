import type { BaseCloudflare } from 'cloudflare/client'
import { BaseCache } from 'cloudflare/resources/cache/cache'
import { BaseDNSSECResource } from 'cloudflare/resources/dns/dnssec/dnssec'
import { BaseActivationCheck } from 'cloudflare/resources/zones/activation-check'
import { BaseZones } from 'cloudflare/resources/zones/zones'
import { checked, checkedPage, everyPage } from './answers.ts'
import type { CloudflareGateway, Purge } from './gateway.ts'
import { dnssec, purged, zone, zoneList } from './zone-answers.ts'

/** The most that Cloudflare lists at once, and more zones than the allowance could ever keep up with. */
const zonePages = { size: 50, most: 40 }

function bodyOf(what: Purge) {
  if ('everything' in what) return { purge_everything: true }
  return 'files' in what ? { files: [...what.files] } : { hosts: [...what.hosts] }
}

export function zoneCalls(client: BaseCloudflare, getAccountId: () => Promise<string>) {
  const zones = new BaseZones(client)
  const dnssecs = new BaseDNSSECResource(client)
  const cache = new BaseCache(client)
  const activation = new BaseActivationCheck(client)
  return {
    async ping() {
      await checkedPage('the list of zones', zoneList, zones.list({ per_page: 5 }))
    },
    listZones: () =>
      everyPage(
        'the list of zones',
        zonePages,
        ({ id }) => id,
        (page) =>
          checkedPage(
            'the list of zones',
            zoneList,
            zones.list({ page, per_page: zonePages.size, order: 'name', direction: 'asc' }),
          ),
      ),
    createZone: async (name) =>
      checked('the domain', zone, zones.create({ name, type: 'full', account: { id: await getAccountId() } })),
    async findZoneNamed(name) {
      const { rows } = await checkedPage('the list of zones', zoneList, zones.list({ name, per_page: 5 }))
      return rows.find((row) => row.name === name) ?? null
    },
    getZone: (zone_id) => checked('the domain', zone, zones.get({ zone_id })),
    async checkActivation(zone_id) {
      await checked('the check', purged, activation.trigger({ zone_id }))
    },
    async getDnssec(zone_id) {
      return (await checked('DNSSEC', dnssec, dnssecs.get({ zone_id }))).status
    },
    purge: (zone_id, what) => checked('the purge', purged, cache.purge({ zone_id, ...bodyOf(what) })),
  } satisfies Partial<CloudflareGateway>
}
