import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
})
afterEach(() => w.sandbox.faults.clear())
afterAll(() => w?.close())

const address = (name: string, more: object = {}) => ({ type: 'A', name, ttl: 300, content: '203.0.113.7', ...more })
const minute = 60_000
const hour = 60 * minute

async function added(more: object = {}) {
  const name = w.newName()
  return { name, ...(await w.add(address(name, more))).json() }
}

describe('undo', () => {
  test('takes an addition away again', async () => {
    const { name, change_id } = await added()
    expect((await w.list()).last_change).toMatchObject({
      id: change_id,
      kind: 'create',
      undo_until: expect.any(String),
    })
    expect((await w.undo(change_id)).json()).toMatchObject({ record: null, undo_until: null })
    expect(await w.find('A', name)).toBeUndefined()
    expect((await w.list()).last_change).toMatchObject({ kind: 'undo', what: `the A record ${name}`, undo_until: null })
    expect((await w.entries(1))[0]).toMatchObject({ action: 'domain.undo_record', after: { undoes: change_id } })
  })

  test('puts a changed record back as it stood', async () => {
    const { name, record } = await added({ comment: 'why' })
    const edit = await w.edit(record, address(name, { content: '203.0.113.8', proxied: true, comment: null }))
    expect((await w.undo(edit.json().change_id)).json().record).toEqual(record)
    expect(await w.find('A', name)).toEqual(record)
    expect(await w.entries(2)).toMatchObject([
      { after: { state: 'done', content: '203.0.113.7', comment: 'why' }, before: { content: '203.0.113.8' } },
      { after: { state: 'requested' } },
    ])
  })

  test.each([
    { type: 'TXT', content: 'hello' },
    { type: 'MX', content: 'mx.example', priority: 3 },
    { type: 'SRV', data: { priority: 1, weight: 2, port: 3, target: 'sip.example' } },
    { type: 'CAA', data: { flags: 0, tag: 'issue', value: 'pki.goog' } },
  ])('adds a deleted record of type $type again, whole', async (part) => {
    const { record } = (await w.add({ name: w.newName(), ttl: 600, comment: 'why', ...part })).json()
    const { change_id } = (await w.remove(record)).json()
    const back = (await w.undo(change_id)).json().record
    expect({ ...back, id: record.id }).toEqual(record)
  })

  test('keeps what the console does not show: settings of a deleted record', async () => {
    const name = w.newName()
    await w.elsewhere('POST', '', { ...address(name, { proxied: true }), settings: { ipv4_only: true } })
    const { change_id } = (await w.remove((await w.find('A', name))!)).json()
    await w.undo(change_id)
    const [again] = (await w.t.ctx.cloudflare!.findRecords(w.zone.id, 'A', name)) ?? []
    expect(again?.settings).toMatchObject({ ipv4_only: true })
  })
})

describe('is refused', () => {
  test('a second time, and for an undo', async () => {
    const { change_id } = await added()
    const undone = (await w.undo(change_id)).json()
    const before = w.sent().length
    expect((await w.undo(change_id)).json()).toMatchObject({ status: 409, detail: 'This change was already undone.' })
    expect((await w.undo(undone.change_id)).json()).toMatchObject({
      ...{ status: 409, detail: 'An undo cannot be undone. Change the record instead.' },
    })
    expect(w.sent()).toHaveLength(before)
  })

  test('after an hour, and not a moment before', async () => {
    const { name, change_id, record } = await added()
    w.t.clock.advance(hour - minute)
    expect((await w.undo(change_id)).statusCode).toBe(200)
    const later = (await w.add(address(name))).json()
    w.t.clock.advance(hour + minute)
    expect((await w.list()).last_change).toMatchObject({ id: later.change_id, undo_until: null })
    expect((await w.undo(later.change_id)).json()).toMatchObject({
      ...{ status: 409, detail: expect.stringContaining('more than an hour old') },
    })
    expect(record.name).toBe(name)
    expect(await w.find('A', name)).toBeDefined()
  })

  test('once somebody has changed another record of the domain', async () => {
    const first = await added()
    await added()
    expect((await w.undo(first.change_id)).json()).toMatchObject({
      ...{ status: 409, detail: expect.stringContaining('Only the last change can be undone') },
    })
    expect(await w.find('A', first.name)).toBeDefined()
  })

  test('once the record was changed in Cloudflare', async () => {
    const { name, record, change_id } = await added()
    await w.elsewhere('PATCH', `/${record.id}`, { content: '198.51.100.9' })
    expect((await w.undo(change_id)).json()).toMatchObject({
      ...{ status: 409, detail: expect.stringContaining('198.51.100.9') },
    })
    expect(await w.find('A', name)).toMatchObject({ content: '198.51.100.9' })
  })

  test('without the permission, and for a change of another domain', async () => {
    const { change_id } = await added()
    expect((await w.reader.post(`${w.base}/undo`, { change_id })).json()).toMatchObject({ permission: 'sites.write' })
    expect((await w.undo('dns_none')).statusCode).toBe(404)
  })
})

test('two who undo at the same moment: the record is put back once', async () => {
  const { change_id, name } = await added()
  const before = w.sent().length
  const answers = await Promise.all([w.undo(change_id), w.undo(change_id)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(w.sent()).toHaveLength(before + 1)
  expect(await w.find('A', name)).toBeUndefined()
})
