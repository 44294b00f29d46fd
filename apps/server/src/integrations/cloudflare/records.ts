import type { BaseCloudflare } from 'cloudflare/client'
import { BaseRecords } from 'cloudflare/resources/dns/records'
import { checked, checkedPage, everyPage, orNull } from './answers.ts'
import type { CloudflareGateway } from './gateway.ts'
import { dnsRecord, recordList } from './zone-answers.ts'

const perPage = 100
/** Cloudflare gives as many at once as a zone of a paid plan may have. */
const wholeZone = { size: 1000, most: 5 }

export function recordCalls(client: BaseCloudflare) {
  const records = new BaseRecords(client)
  return {
    async listRecords(zone_id, page) {
      const asked = records.list({ zone_id, page, per_page: perPage })
      const { rows, total } = await checkedPage('the list of DNS records', recordList, asked)
      return { records: rows, total }
    },
    listAllRecords: (zone_id) =>
      everyPage(
        'the list of DNS records',
        wholeZone,
        ({ id }) => id,
        (page) =>
          checkedPage('the list of DNS records', recordList, records.list({ zone_id, page, per_page: wholeZone.size })),
      ),
    async findRecords(zone_id, type, name) {
      const asked = records.list({ zone_id, type, name: { exact: name }, per_page: perPage })
      return (await checkedPage('the list of DNS records', recordList, asked)).rows
    },
    findRecord: (zone_id, id) => orNull(checked('the DNS record', dnsRecord, records.get(id, { zone_id }))),
    createRecord: (zone_id, record) => checked('the DNS record', dnsRecord, records.create({ zone_id, ...record })),
    editRecord: (zone_id, id, record) => checked('the DNS record', dnsRecord, records.edit(id, { zone_id, ...record })),
    async deleteRecord(zone_id, id) {
      await orNull(Promise.resolve(records.delete(id, { zone_id })))
    },
  } satisfies Partial<CloudflareGateway>
}
