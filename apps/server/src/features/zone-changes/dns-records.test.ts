import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../../test/request.ts'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
})
afterEach(() => w.sandbox.faults.clear())
afterAll(() => w?.close())

const address = (name: string, more: object = {}) => ({ type: 'A', name, ttl: 300, content: '203.0.113.7', ...more })

describe('records', () => {
  test('are what Cloudflare has now, with what they are made of', async () => {
    const { records, total, has_more, last_change } = await w.list()
    expect({ total, has_more, last_change }).toEqual({ total: records.length, has_more: false, last_change: null })
    expect(records.find(({ type }) => type === 'CAA')).toMatchObject({
      content: '0 issue "letsencrypt.org"',
      data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' },
    })
    expect((await w.reader.get(`${w.base}?page=0`)).statusCode).toBe(400)
    expect((await request(w.t.ctx).as(['billing.read']).get(w.base)).statusCode).toBe(403)
    expect((await w.reader.get('/cloudflare/zones/none/records')).statusCode).toBe(404)
  })

  test.each([
    ['A', { content: '203.0.113.9', proxied: true }, { content: '203.0.113.9', proxied: true, ttl: 1 }],
    ['AAAA', { content: '2001:DB8:0:0::9' }, { content: '2001:db8::9', proxied: false, ttl: 300 }],
    ['CNAME', { content: 'Target.example.' }, { content: 'target.example' }],
    ['MX', { content: 'mx.example', priority: 5 }, { content: 'mx.example', priority: 5 }],
    ['NS', { content: 'ns1.example' }, { content: 'ns1.example' }],
    ['TXT', { content: 'site="x" verified' }, { content: '"site=\\"x\\" verified"' }],
    [
      'SRV',
      { data: { priority: 1, weight: 2, port: 5060, target: 'sip.example' } },
      { priority: 1, data: { priority: 1, weight: 2, port: 5060, target: 'sip.example' } },
    ],
    [
      'CAA',
      { data: { flags: 0, tag: 'issuewild', value: 'pki.goog' } },
      { data: { flags: 0, tag: 'issuewild', value: 'pki.goog' } },
    ],
  ])('of type %s are added, changed and deleted, each audited with before and after', async (type, given, expected) => {
    const name = w.newName()
    const input = { type, name, ttl: 300, comment: 'why', ...given }
    const added = await w.add(input)
    expect([added.statusCode, added.json()]).toMatchObject([
      200,
      { record: { type, name, comment: 'why', ...expected } },
    ])
    const { record } = added.json()
    expect(await w.find(type, name)).toEqual(record)

    const edited = await w.edit(record, { ...input, comment: 'because' })
    expect(edited.json()).toMatchObject({ record: { ...record, comment: 'because' } })
    expect(await w.find(type, name)).toEqual(edited.json().record)

    const removed = await w.remove(edited.json().record)
    expect(removed.json()).toMatchObject({ record: null, undo_until: expect.any(String) })
    expect(await w.find(type, name)).toBeUndefined()

    const what = `the ${type} record ${name}`
    const entry = { outcome: 'done', resource_id: w.zone.id }
    expect(await w.entries(6)).toMatchObject([
      {
        ...entry,
        action: 'domain.delete_record',
        before: { name, comment: 'because' },
        after: { state: 'done', what },
      },
      { ...entry, action: 'domain.delete_record', after: { state: 'requested' } },
      {
        ...entry,
        action: 'domain.edit_record',
        before: { comment: 'why' },
        after: { state: 'done', comment: 'because' },
      },
      { ...entry, action: 'domain.edit_record', before: { comment: 'why' }, after: { state: 'requested' } },
      { ...entry, action: 'domain.add_record', before: null, after: { state: 'done', what, name, comment: 'why' } },
      { ...entry, action: 'domain.add_record', before: null, after: { state: 'requested' } },
    ])
  })

  test('are named within the domain or whole, and a long text is kept in strings that DNS allows', async () => {
    const short = w.newName().replace(`.${w.zone.name}`, '')
    expect((await w.add(address(short))).json()).toMatchObject({ record: { name: `${short}.${w.zone.name}` } })
    const { record } = (await w.add({ type: 'TXT', name: '@', ttl: 1, content: 'x'.repeat(300) })).json()
    expect(record).toMatchObject({ name: w.zone.name, content: `"${'x'.repeat(255)}" "${'x'.repeat(45)}"` })
    await w.remove(record)
  })

  test('are switched behind the proxy and back, without anything else of them changing', async () => {
    const name = w.newName()
    const { record } = (await w.add(address(name, { comment: 'why' }))).json()
    const on = (await w.edit(record, address(name, { comment: 'why', proxied: true }))).json().record
    expect(on).toEqual({ ...record, proxied: true, ttl: 1 })
    expect((await w.edit(on, address(name, { comment: 'why' }))).json().record).toEqual(record)
  })

  test('a change is one line in the audit log', async () => {
    const name = w.newName()
    await w.add(address(name))
    const root = request(w.t.ctx).as('super_admin')
    const { entries } = (
      await root.get(`/admin/audit?resource=domain&resource_id=${w.zone.id}&limit=5&group=deed`)
    ).json()
    const told = entries.filter(({ details }: { details: string }) => details.includes(name))
    expect(told.map(({ details }: { details: string }) => details)).toEqual([`Added the A record ${name}`])
  })
})

describe('refuses', () => {
  test.each([
    [{ type: 'A', content: '2001:db8::1' }, 'record.content'],
    [{ type: 'AAAA', content: '203.0.113.7' }, 'record.content'],
    [{ type: 'CNAME', content: 'https://x.example' }, 'record.content'],
    [{ type: 'MX', content: 'mx.example', priority: 65_536 }, 'record.priority'],
    [{ type: 'TXT', content: ' ' }, 'record.content'],
    [{ type: 'SRV', data: { priority: 1, weight: 1, port: -1, target: 'a.example' } }, 'record.data.port'],
    [{ type: 'CAA', data: { flags: 0, tag: 'other', value: 'x' } }, 'record.data.tag'],
    [{ type: 'A', content: '203.0.113.7', ttl: 59 }, 'record.ttl'],
    [{ type: 'A', content: '203.0.113.7', name: 'a b' }, 'record.name'],
    [{ type: 'PTR', content: 'x.example' }, 'record.type'],
  ])('%j, at the field that is wrong, and sends nothing', async (part, parameter) => {
    const before = w.sent().length
    const answer = await w.add({ name: 'bad', ttl: 300, ...part })
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
    expect(w.sent()).toHaveLength(before)
  })

  test.each([
    [
      'an alias beside an address',
      (name: string) => ({ type: 'CNAME', name, ttl: 1, content: 'x.example' }),
      'record.name',
    ],
    ['a twin', (name: string) => address(name), 'record.content'],
  ])('%s, in words and at its field', async (_name, second, parameter) => {
    const name = w.newName()
    await w.add(address(name))
    const answer = await w.add(second(name))
    expect(answer.json()).toMatchObject({ parameter, detail: expect.stringMatching(/already/) })
    expect([409, 422]).toContain(answer.statusCode)
    expect((await w.entries(1))[0]).toMatchObject({ outcome: 'failed', after: { state: 'failed' } })
  })

  test('another type for a record, and a change that changes nothing', async () => {
    const name = w.newName()
    const { record } = (await w.add(address(name))).json()
    const before = w.sent().length
    const other = await w.edit(record, { type: 'TXT', name, ttl: 300, content: 'x' })
    expect(other.json()).toMatchObject({ status: 400, parameter: 'record.type' })
    expect((await w.edit(record, address(name))).json()).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(w.sent()).toHaveLength(before)
  })

  test('who may only read, and says which right the token lacks', async () => {
    expect((await w.reader.post(w.base, { record: address('denied') })).json()).toMatchObject({
      ...{ status: 403, permission: 'sites.write' },
    })
    w.sandbox.faults.next('cloudflare', 'dns.records.create', 403)
    expect((await w.add(address(w.newName()))).json()).toMatchObject({
      ...{ status: 502, detail: 'No access: the token lacks DNS:Edit' },
    })
  })
})

describe('a record that is not as it was shown', () => {
  test('is left alone: the refusal tells both versions', async () => {
    const name = w.newName()
    const { record } = (await w.add(address(name))).json()
    await w.elsewhere('PATCH', `/${record.id}`, { content: '198.51.100.9' })
    const before = w.sent().length
    for (const answer of [await w.edit(record, address(name, { ttl: 600 })), await w.remove(record)]) {
      expect(answer.json()).toMatchObject({ status: 409, code: 'conflict', parameter: 'version' })
      expect(answer.json().detail).toContain(`You saw: A ${name}, 203.0.113.7, TTL 300 s, DNS only.`)
      expect(answer.json().detail).toContain(`Now: A ${name}, 198.51.100.9, TTL 300 s, DNS only.`)
    }
    expect(w.sent()).toHaveLength(before)
    const now = await w.find('A', name)
    expect(now).toMatchObject({ content: '198.51.100.9', ttl: 300 })
    expect((await w.edit(now!, address(name, { ttl: 600 }))).statusCode).toBe(200)
  })

  test('and one that was deleted is said to be', async () => {
    const name = w.newName()
    const { record } = (await w.add(address(name))).json()
    await w.elsewhere('DELETE', `/${record.id}`)
    for (const answer of [await w.edit(record, address(name, { ttl: 600 })), await w.remove(record)])
      expect(answer.json()).toMatchObject({
        status: 409,
        detail: expect.stringContaining('deleted this record'),
      })
  })
})

describe('under its key', () => {
  test('a double press adds once, and the repeat gets the same answer', async () => {
    const key = w.key()
    const name = w.newName()
    const before = w.sent().length
    const answers = await Promise.all([w.add(address(name), key), w.add(address(name), key)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, expect.any(Number)])
    const first = answers.find(({ statusCode }) => statusCode === 200)
    expect((await w.add(address(name), key)).json()).toEqual(first?.json())
    expect(w.sent()).toHaveLength(before + 1)
    expect((await w.add(address(name, { ttl: 60 }), key)).json()).toMatchObject({ code: 'idempotency_conflict' })
  })

  test('a refusal is told again, and nothing is sent', async () => {
    const key = w.key()
    const name = w.newName()
    const { record } = (await w.add(address(name))).json()
    await w.elsewhere('PATCH', `/${record.id}`, { content: '198.51.100.9' })
    const first = await w.edit(record, address(name, { ttl: 600 }), key)
    const again = await w.edit(record, address(name, { ttl: 600 }), key)
    expect([again.statusCode, again.json().detail]).toEqual([409, first.json().detail])
  })
})
