import type { dnsRecords } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { DnsRecord } from '@agency/contract/types'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { createTestContext } from '../../../../test/context.ts'
import { startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { request } from '../../../../test/request.ts'

export type List = ResponseOf<typeof dnsRecords.listDomainRecords>

/** A console that works on one domain of the sandbox, and what the tests ask of both. */
export async function openDns() {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 3 } })
  const t = await createTestContext()
  t.ctx.replace({ cloudflare: cloudflareAt(sandbox.cloudflare) })
  const reader = request(t.ctx).as(['sites.read'])
  const writer = request(t.ctx).as(['sites.read', 'sites.write'])
  const { domains } = (await reader.get('/cloudflare/domains?limit=100')).json()
  const zone = domains.find(({ name }: { name: string }) => name === 'cascobaycoffee.example') as {
    id: string
    name: string
  }
  const base = `/cloudflare/zones/${zone.id}/records`
  let count = 0
  const key = () => ({ 'idempotency-key': `dns-test-${count++}` })
  const list = async (): Promise<List> => (await reader.get(base)).json()
  const shownOf = ({ id: _id, ...shown }: DnsRecord) => shown
  return {
    ...{ t, sandbox, zone, base, reader, writer, key, list, shownOf },
    /** A name of the test's own. */
    newName: () => `t${count++}.${zone.name}`,
    find: async (type: string, name: string): Promise<DnsRecord | undefined> =>
      (await list()).records.find((record) => record.type === type && record.name === name),
    add: (record: object, headers = key()) => writer.post(base, { record }, headers),
    edit: (seen: DnsRecord, record: object, headers = key()) =>
      writer.patch(`${base}/${seen.id}`, { shown: shownOf(seen), record }, headers),
    remove: (seen: DnsRecord, headers = key()) => writer.post(`${base}/delete`, { shown: seen }, headers),
    undo: (change_id: string, headers = key()) => writer.post(`${base}/undo`, { change_id }, headers),
    /** Somebody works in Cloudflare's dashboard. */
    elsewhere: async (method: string, path: string, body?: object) => {
      const { baseUrl, apiToken } = sandbox.cloudflare
      const answer = await fetch(`${baseUrl}/zones/${zone.id}/dns_records${path}`, {
        method,
        headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    /** What was sent to change something, by the SDK's names. */
    sent: () =>
      sandbox
        .requestLog()
        .filter(({ name, method }) => method !== 'GET' && name?.startsWith('dns.records.'))
        .map(({ name }) => name),
    /** Entries of the audit log, the newest first. */
    entries: async (most: number) =>
      (
        await t.ctx.pool.query(
          `select action, outcome, resource_id, before, after from audit_entries
            where action like 'domain.%record' order by id desc limit $1`,
          [most],
        )
      ).rows,
    async close() {
      await t.close()
      await stop()
    },
  }
}

export type DnsWorld = Awaited<ReturnType<typeof openDns>>
