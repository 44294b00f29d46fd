import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
})
afterEach(() => w.sandbox.faults.clear())
afterAll(() => w?.close())

const address = (name: string, more: object = {}) => ({ type: 'A', name, ttl: 300, content: '203.0.113.7', ...more })
const states = async (most: number) =>
  (await w.entries(most)).map(({ after }: { after: { state: string } }) => after.state)
const suffer = (match: string, connection: 'lost' | 'destroy', times = 1) =>
  w.sandbox.faults.next('cloudflare', match, { connection }, times)

describe('an answer that got lost', () => {
  test.each([
    ['create', async (name: string) => w.add(address(name)), 1],
    [
      'edit',
      async (name: string) => {
        const { record } = (await w.add(address(name))).json()
        return w.edit(record, address(name, { content: '203.0.113.8' }))
      },
      2,
    ],
    [
      'delete',
      async (name: string) => {
        const { record } = (await w.add(address(name))).json()
        return w.remove(record)
      },
      2,
    ],
  ] as const)('of %s is settled by reading, and nothing is sent twice', async (call, change, sent) => {
    const before = w.sent().length
    suffer(`dns.records.${call}`, 'lost')
    const answer = await change(w.newName())
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { change_id: expect.any(String) }])
    expect(w.sent()).toHaveLength(before + sent)
    expect(await states(2)).toEqual(['done', 'requested'])
  })

  test('of an addition that cannot be read either is unknown; its repeat looks before it adds', async () => {
    const [name, key] = [w.newName(), w.key()]
    suffer('dns.records.create', 'lost')
    // The look before is the first one.
    const fault = w.sandbox.faults.next('cloudflare', 'dns.records.list', {}, 1)
    suffer('dns.records.list', 'destroy')
    const before = w.sent().length
    expect((await w.add(address(name), key)).json()).toMatchObject({
      ...{ status: 504, code: 'outcome_unknown' },
      detail: expect.stringContaining('trying again is safe'),
    })
    w.sandbox.faults.clear(fault)
    const again = await w.add(address(name), key)
    expect([again.statusCode, again.json()]).toMatchObject([200, { record: { name } }])
    expect(w.sent()).toHaveLength(before + 1)
    expect(await states(4)).toEqual(['done', 'retried', 'unknown', 'requested'])
  })

  test('of what did not happen is unknown, and its repeat does it', async () => {
    const [name, key] = [w.newName(), w.key()]
    suffer('dns.records.create', 'destroy')
    expect((await w.add(address(name), key)).statusCode).toBe(504)
    expect(await w.find('A', name)).toBeUndefined()
    expect((await w.add(address(name), key)).json()).toMatchObject({ record: { name } })
    expect((await w.list()).records.filter((record) => record.name === name)).toHaveLength(1)
  })

  test('is found out behind everybody’s back: what happened is done, what did not has failed', async () => {
    const [there, missing] = [w.newName(), w.newName()]
    suffer('dns.records.create', 'destroy')
    expect((await w.add(address(missing))).statusCode).toBe(504)
    suffer('dns.records.create', 'destroy')
    expect((await w.add(address(there))).statusCode).toBe(504)
    // It arrives late.
    await w.elsewhere('POST', '', address(there))
    const before = w.sent().length
    w.t.clock.advance(61_000)
    await runJob(w.t.ctx, 'dns-records.settle')
    await runJob(w.t.ctx, 'dns-records.settle')
    expect(w.sent()).toHaveLength(before)
    expect(await w.entries(2)).toMatchObject([
      { outcome: 'done', after: { state: 'done', name: there } },
      { outcome: 'failed', after: { state: 'failed', name: missing, problem: 'The change was not carried out' } },
    ])
  })
})

test('a change that was left half-done holds its record until it is settled, and then no more', async () => {
  const name = w.newName()
  const { record, change_id } = (await w.add(address(name))).json()
  await w.t.ctx.pool.query(
    `insert into dns_changes (id, zone_id, zone_name, kind, record_id, subject, shown, wanted, what, state, actor_id,
        actor_name, created_at)
      select 'dns_left', zone_id, zone_name, 'delete', record_id, record_id, $3, null, what, 'started', actor_id,
        actor_name, $2 from dns_changes where id = $1`,
    [change_id, new Date(w.t.clock.now()), JSON.stringify(w.shownOf(record))],
  )
  const change = address(name, { ttl: 600 })
  expect((await w.edit(record, change)).json()).toMatchObject({
    ...{ status: 409, detail: 'This record is being changed right now. Try again in a moment.' },
  })
  w.t.clock.advance(61_000)
  expect((await w.edit(record, change)).statusCode).toBe(200)
  const { rows } = await w.t.ctx.pool.query(`select state from dns_changes where id = 'dns_left'`)
  expect(rows).toEqual([{ state: 'failed' }])
})

test('two who change one record at the same moment: one does, the other is told', async () => {
  const name = w.newName()
  const { record } = (await w.add(address(name))).json()
  const before = w.sent().length
  const answers = await Promise.all([600, 900].map((ttl) => w.edit(record, address(name, { ttl }))))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(w.sent()).toHaveLength(before + 1)
})
