import { expect, test } from 'vitest'
import { complaintsOf, type Heard, listeningFetch } from '../../test/answers.ts'
import { cloudflareOf, useSandbox } from '../../test/sandbox.ts'
import { routes } from './api/index.ts'
import { findRoute } from './http/route.ts'
import { apiBase } from './http/server.ts'

const world = useSandbox({ size: { customers: 12 }, cloudflare: { requestLimit: 0, graphqlLimit: 0, stageMs: 1 } })
const { fetch: listening, heard } = listeningFetch((method, path) => {
  const found = findRoute(routes, method, path.slice(apiBase.length))
  return typeof found === 'object' ? found.route.name : undefined
})

/** Cloudflare tells an empty comment as null and may leave a plan out, which its own types do not say. */
const isBeyondTypes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'original_registrar' in value && !('plan' in value)
const typed = ({ name, body }: Heard): Heard => {
  const { result } = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'comment' && value === null ? undefined : value,
  ) as { result: unknown }
  return { name, body: Array.isArray(result) ? result.filter((each) => !isBeyondTypes(each)) : result }
}

test('every answer has the result that the SDK says it has', async () => {
  const client = cloudflareOf(world.sandbox, { fetch: listening })
  const { accountId: account_id } = world.sandbox.cloudflare
  await client.user.get()
  await client.user.tokens.verify()
  await client.accounts.list()
  await client.accounts.get({ account_id })
  await client.accounts.tokens.verify({ account_id })
  const zones = await client.zones.list({ per_page: 50 })
  const zone = await client.zones.create({ name: 'fresh.example', type: 'full', account: { id: account_id } })
  const inZone = { zone_id: zone.id }
  await client.zones.activationCheck.trigger(inZone)
  await client.zones.get(inZone)
  await client.zones.edit({ ...inZone, paused: true })
  for (const setting of ['ssl', 'always_use_https', 'min_tls_version']) await client.zones.settings.get(setting, inZone)
  await client.zones.settings.edit('ssl', { ...inZone, value: 'full' })
  for (const { id } of zones.result.slice(0, 5)) {
    await client.dns.records.list({ zone_id: id })
    await client.dns.dnssec.get({ zone_id: id })
  }
  const a = { type: 'A', name: 'www.fresh.example', content: '203.0.113.7', ttl: 1 } as const
  const record = await client.dns.records.create({ ...inZone, ...a })
  await client.dns.records.get(record.id, inZone)
  await client.dns.records.edit(record.id, { ...inZone, ...a, ttl: 120 })
  await client.dns.records.update(record.id, { ...inZone, ...a, content: '203.0.113.8' })
  await client.dns.records.delete(record.id, inZone)
  await client.cache.purge({ ...inZone, purge_everything: true })
  const complaints = await complaintsOf('CloudflareAnswer', heard.map(typed))
  expect(complaints).toEqual([])
}, 120_000)
