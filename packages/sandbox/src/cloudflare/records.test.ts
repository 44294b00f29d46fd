import type { RecordCreateParams, RecordResponse } from 'cloudflare/resources/dns/records'
import { beforeAll, describe, expect, test } from 'vitest'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'
import { remoteControl } from '../index.ts'

const world = useSandbox({ size: { customers: 4 } })
const client = () => cloudflareOf(world.sandbox)
const zoneName = 'harborandpine.example'
let zone_id = ''
let count = 0
const fresh = () => `r${count++}.${zoneName}`

beforeAll(async () => {
  zone_id = (await all(client().zones.list({ name: zoneName })))[0]!.id
})

const create = (body: Record<string, unknown>) =>
  client().dns.records.create({ zone_id, ttl: 1, ...body } as unknown as RecordCreateParams)
const found = (name: string): Promise<RecordResponse[]> =>
  all(client().dns.records.list({ zone_id, name: { exact: name } }))
const host = (content: string) => ({ type: 'CNAME', content })

describe('a record', () => {
  test.each([
    ['A', { content: '203.0.113.7', proxied: true }, { content: '203.0.113.7', proxied: true, ttl: 1 }],
    ['AAAA', { content: '2001:DB8:0::7', ttl: 300 }, { content: '2001:db8::7', ttl: 300, proxied: false }],
    ['CNAME', { content: 'Target.Example.' }, { content: 'target.example' }],
    ['MX', { content: 'mx.example', priority: 0 }, { content: 'mx.example', priority: 0 }],
    ['NS', { content: 'ns1.example' }, { content: 'ns1.example', proxiable: false }],
    ['TXT', { content: '"v=spf1 -all"' }, { content: '"v=spf1 -all"' }],
    [
      'SRV',
      { data: { priority: 1, weight: 2, port: 5060, target: 'sip.example' } },
      { content: '2 5060 sip.example', priority: 1 },
    ],
    ['CAA', { data: { flags: 0, tag: 'issue', value: 'pki.goog' } }, { content: '0 issue "pki.goog"' }],
  ])('of type %s is added, read and deleted', async (type, given, expected) => {
    const name = fresh()
    const made = await create({ type, name, comment: 'why', ...given })
    expect(made).toMatchObject({ type, name, comment: 'why', ...expected })
    expect(await client().dns.records.get(made.id, { zone_id })).toEqual(made)
    expect(await found(name)).toEqual([made])
    expect(await client().dns.records.delete(made.id, { zone_id })).toEqual({ id: made.id })
    expect(await found(name)).toEqual([])
  })

  test('keeps what an edit does not name, and loses it by an update', async () => {
    const name = fresh()
    const made = await create({ type: 'A', name, content: '203.0.113.7', comment: 'why', ttl: 600 })
    const edited = await client().dns.records.edit(made.id, { zone_id, type: 'A', name, ttl: 120 })
    expect(edited).toMatchObject({ id: made.id, content: '203.0.113.7', comment: 'why', ttl: 120 })
    expect(Date.parse(edited.modified_on)).toBeGreaterThanOrEqual(Date.parse(made.modified_on))
    const updated = await client().dns.records.update(made.id, {
      ...{ zone_id, type: 'A', name, ttl: 1 },
      content: '203.0.113.8',
    })
    expect(updated).toMatchObject({ id: made.id, content: '203.0.113.8', comment: null, ttl: 1 })
    expect(updated.created_on).toBe(made.created_on)
  })

  test('is named within its zone or whole', async () => {
    const short = `short${count++}`
    expect(await create({ type: 'A', name: short, content: '203.0.113.7' })).toMatchObject({
      name: `${short}.${zoneName}`,
    })
    expect(await create({ type: 'TXT', name: '@', content: '"apex"' })).toMatchObject({ name: zoneName })
  })
})

describe('refuses', () => {
  test.each([
    ['an address of the wrong kind', { type: 'A', content: '2001:db8::1' }, 9005],
    ['an IPv4 address as IPv6', { type: 'AAAA', content: '203.0.113.7' }, 9006],
    ['a target that is no host', { type: 'CNAME', content: 'http://x.example/' }, 9007],
    ['a mail server that is no host', { type: 'MX', content: 'a b', priority: 1 }, 9009],
    ['a mail server without a priority', { type: 'MX', content: 'mx.example' }, 9101],
    ['a priority that is too high', { type: 'MX', content: 'mx.example', priority: 65_536 }, 9100],
    ['a service without its parts', { type: 'SRV', content: '1 2 sip.example' }, 9101],
    ['an authority of an unknown tag', { type: 'CAA', data: { flags: 0, tag: 'x', value: 'y' } }, 9101],
    ['a proxy before mail', { type: 'MX', content: 'mx.example', priority: 1, proxied: true }, 9004],
    ['a proxy that is neither on nor off', { type: 'A', content: '203.0.113.7', proxied: 'yes' }, 9003],
    ['a TTL that is too short', { type: 'A', content: '203.0.113.7', ttl: 59 }, 1004],
    ['a TTL that is too long', { type: 'A', content: '203.0.113.7', ttl: 86_401 }, 1004],
    ['a field that nobody knows', { type: 'A', content: '203.0.113.7', colour: 'red' }, 1004],
    ['a type that nobody knows', { type: 'B', content: '203.0.113.7' }, 1004],
    ['an empty text', { type: 'TXT', content: '""' }, 9010],
  ])('%s', async (_name, body, code) => {
    const name = fresh()
    await expect(create({ name, ...body })).rejects.toMatchObject({ status: 400, errors: [{ code }] })
    expect(await found(name)).toEqual([])
  })

  test('with the reason in the chain of a wrapped error', async () => {
    await expect(create({ type: 'A', name: fresh(), content: '203.0.113.7', ttl: 2 })).rejects.toMatchObject({
      errors: [{ code: 1004, error_chain: [{ code: 9021, message: expect.stringContaining('Invalid TTL') }] }],
    })
  })

  test.each([
    ['a twin', { type: 'A', content: '203.0.113.7' }, { type: 'A', content: '203.0.113.7' }, 81058],
    ['an alias beside an address', { type: 'A', content: '203.0.113.7' }, host('x.example'), 81053],
    ['a second alias', host('x.example'), host('y.example'), 81053],
    ['an address beside an alias', host('x.example'), { type: 'A', content: '203.0.113.7' }, 81054],
    [
      'an address below a delegation',
      { type: 'NS', content: 'ns.example' },
      { type: 'A', content: '203.0.113.7' },
      81056,
    ],
  ])('%s', async (_name, first, second, code) => {
    const name = fresh()
    await create({ name, ...first })
    await expect(create({ name, ...second })).rejects.toMatchObject({ status: 400, errors: [{ code }] })
    expect(await found(name)).toHaveLength(1)
  })

  test('what is not there', async () => {
    const gone = { status: 404, errors: [{ code: 81044 }] }
    await expect(client().dns.records.get('f'.repeat(32), { zone_id })).rejects.toMatchObject(gone)
    await expect(client().dns.records.delete('f'.repeat(32), { zone_id })).rejects.toMatchObject(gone)
  })

  test('a change by a token that may only read', async () => {
    const { cloudflare } = remoteControl(world.sandbox.stripe)
    await cloudflare({ scopes: ['Zone:Read', 'DNS:Read'] })
    await expect(create({ type: 'A', name: fresh(), content: '203.0.113.7' })).rejects.toMatchObject({ status: 403 })
    await cloudflare({ scopes: ['Zone:Read', 'DNS:Edit'] })
    expect(await found(zoneName)).not.toEqual([])
  })
})
