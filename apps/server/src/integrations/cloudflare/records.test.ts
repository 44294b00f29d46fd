import { afterEach, expect, test } from 'vitest'
import { type Answer, cloudflareAt, enveloped, refused, startCloudflareStandIn } from '../../../test/cloudflare.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function standIn(answer: Answer) {
  const server = await startCloudflareStandIn(answer)
  stops.push(server.stop)
  return { ...server, gateway: cloudflareAt({ baseUrl: server.baseUrl }) }
}

const record = { id: 'r1', type: 'A', name: 'www.z1.example', content: '203.0.113.7', ttl: 1, proxied: true }
const input = { type: 'A', name: record.name, content: record.content, ttl: 1, proxied: true, comment: '' } as const
const base = '/zones/z1/dns_records'

test('records are looked up, written and deleted one by one, as Cloudflare wants them asked for', async () => {
  const { gateway, asked } = await standIn(({ path, method }) => {
    if (path === `${base}/gone`) return refused(404, 81044, 'Record does not exist.')
    if (path === `${base}/r1` && method === 'DELETE') return enveloped({ id: 'r1' })
    return enveloped(path === base && method === 'GET' ? [record] : record)
  })
  expect(await gateway.findRecords('z1', 'A', record.name)).toMatchObject([record])
  expect(Object.fromEntries(asked[0]!.query)).toEqual({ type: 'A', 'name.exact': record.name, per_page: '100' })
  expect(await gateway.findRecord('z1', 'r1')).toMatchObject(record)
  expect(await gateway.findRecord('z1', 'gone')).toBeNull()
  expect(await gateway.createRecord('z1', input)).toMatchObject(record)
  expect(await gateway.editRecord('z1', 'r1', input)).toMatchObject(record)
  await gateway.deleteRecord('z1', 'r1')
  await gateway.deleteRecord('z1', 'gone')
  expect(asked.slice(3).map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...[`POST ${base}`, `PATCH ${base}/r1`, `DELETE ${base}/r1`, `DELETE ${base}/gone`],
  ])
  expect(JSON.parse(asked[4]!.body)).toEqual(input)
})

test('a zone is read as a whole, page by page', async () => {
  const { gateway, asked } = await standIn(({ query }) => {
    const page = Number(query.get('page'))
    return enveloped([{ ...record, id: `r${page}` }], { page, total_pages: 3, total_count: 3 })
  })
  expect((await gateway.listAllRecords('z1')).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3'])
  expect(asked.map(({ query }) => query.get('page'))).toEqual(['1', '2', '3'])
})

test('a refusal that is wrapped is told by its reason', async () => {
  const { gateway } = await standIn(() => ({
    status: 400,
    json: {
      success: false,
      errors: [{ code: 1004, message: 'DNS Validation Error', error_chain: [{ code: 9021, message: 'Invalid TTL.' }] }],
      result: null,
    },
  }))
  await expect(gateway.createRecord('z1', input)).rejects.toMatchObject({
    kind: 'invalid',
    providerCode: '9021',
    message: 'Cloudflare API error: Invalid TTL.',
  })
})

test('an answer that was cut off leaves it unknown whether the record was written', async () => {
  const { gateway } = await standIn(() => ({ json: { success: true, result: record }, cut: true }))
  await expect(gateway.createRecord('z1', input)).rejects.toMatchObject({ kind: 'unavailable', mayHaveRun: true })
})
