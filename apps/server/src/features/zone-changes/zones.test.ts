import { remoteControl } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
})
afterEach(() => w.sandbox.faults.clear())
afterAll(() => w?.close())

let count = 0
const newName = () => `added-${count++}.example`
const add = (name: string, key = w.key()) => w.writer.post('/cloudflare/zones', { name }, key)
const check = (id: string) => w.writer.post(`/cloudflare/zones/${id}/check`, {})
const sent = () => w.sandbox.requestLog().filter(({ name }) => name === 'zones.create').length
const atCloudflare = (name: string) => w.t.ctx.cloudflare!.findZoneNamed(name)
const listed = async (name: string) =>
  (await w.reader.get(`/cloudflare/domains?search=${name}`))
    .json()
    .domains.map((domain: { name: string }) => domain.name)
const entries = async (most: number) =>
  (
    await w.t.ctx.pool.query(
      `select outcome, resource_id, after from audit_entries where action = 'domain.add' order by id desc limit $1`,
      [most],
    )
  ).rows
const suffer = (connection: 'lost' | 'destroy') =>
  w.sandbox.faults.next('cloudflare', 'zones.create', { connection }, 1)

describe('a domain', () => {
  test('is added, listed at once with its name servers, and audited', async () => {
    const name = newName()
    const answer = await add(` ${name.toUpperCase()}. `)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { zone: { name, status: 'pending', name_servers: [expect.stringContaining('.ns.'), expect.any(String)] } },
    ])
    const { id, name_servers } = answer.json().zone
    expect(await atCloudflare(name)).toMatchObject({ id, name, name_servers })
    expect(await listed(name)).toEqual([name])
    expect((await w.reader.get(`/cloudflare/domains/${id}`)).json().domain).toMatchObject({
      ...{ name, status: 'pending', name_server_state: 'waiting', name_servers },
    })
    expect(await entries(2)).toMatchObject([
      { outcome: 'done', resource_id: id, after: { state: 'done', name, what: name, name_servers } },
      { resource_id: name, after: { state: 'requested', name } },
    ])
    expect((await w.reader.get(`/cloudflare/zones/${id}/records`)).json().last_change).toMatchObject({
      ...{ kind: 'add_zone', what: name, undo_until: null },
    })
  })

  test('with letters beyond ASCII is added as the name servers know it', async () => {
    const typed = `hafen-${count++}-übersee.example`
    const { zone } = (await add(typed)).json()
    expect(zone.name).toBe(new URL(`http://${typed}`).hostname)
    expect(zone.name).toMatch(/^xn--/)
  })

  test('is added once by a double press, and once by a key that comes twice', async () => {
    const [name, key, before] = [newName(), w.key(), sent()]
    const answers = await Promise.all([add(name), add(name)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const other = newName()
    const [first, again] = [await add(other, key), await add(other, key)]
    expect(again.json()).toEqual(first.json())
    expect(sent()).toBe(before + 2)
  })

  test.each(['lost', 'destroy'] as const)('whose answer is %s is added once, by its repeat or before', async (how) => {
    const [name, key] = [newName(), w.key()]
    suffer(how)
    const answer = await add(name, key)
    if (how === 'destroy') expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect((await add(name, key)).json()).toMatchObject({ zone: { name, status: 'pending' } })
    expect(await listed(name)).toEqual([name])
  })

  test('of which nobody waits any more is found out by a job, which adds nothing', async () => {
    const name = newName()
    suffer('destroy')
    expect((await add(name)).statusCode).toBe(504)
    const before = sent()
    w.t.clock.advance(61_000)
    await runJob(w.t.ctx, 'dns-records.settle')
    expect((await entries(1))[0]).toMatchObject({
      outcome: 'failed',
      after: { problem: 'The change was not carried out' },
    })
    expect([sent(), await atCloudflare(name)]).toEqual([before, null])
  })

  test('stays in the list while one that was read before is kept, and leaves it once it is gone', async () => {
    const name = newName()
    const { zone } = (await add(name)).json()
    await remoteControl(w.sandbox.stripe).scenario('remove_zone', { zone: name })
    await w.writer.post('/cloudflare/domains/refresh', {})
    expect(await listed(name)).toEqual([name])
    w.t.clock.advance(121_000)
    await w.writer.post('/cloudflare/domains/refresh', {})
    expect(await listed(name)).toEqual([])
    expect((await w.reader.get(`/cloudflare/domains/${zone.id}`)).statusCode).toBe(404)
  })
})

describe('is refused', () => {
  test.each(['', 'harbour', 'http://', 'a b.example', '-a.example', `${'a'.repeat(64)}.example`, 'x.example/path'])(
    'the name %j, before Cloudflare is asked',
    async (name) => {
      const before = sent()
      expect((await add(name)).json()).toMatchObject({ status: 400, parameter: 'name' })
      expect(sent()).toBe(before)
    },
  )

  test('a domain that is there already, for who may only read, and without the right', async () => {
    const before = sent()
    expect((await add(w.zone.name)).json()).toMatchObject({
      ...{ status: 409, parameter: 'name', detail: `${w.zone.name} is at Cloudflare already.` },
    })
    expect((await w.reader.post('/cloudflare/zones', { name: newName() })).json()).toMatchObject({
      permission: 'sites.write',
    })
    expect(sent()).toBe(before)
    const { cloudflare: steer } = remoteControl(w.sandbox.stripe)
    await steer({ scopes: ['Zone:Read'] })
    expect((await add(newName())).json()).toMatchObject({ detail: 'No access: the token lacks Zone:Edit' })
    await steer({ scopes: ['Zone:Read', 'Zone:Edit', 'DNS:Edit', 'Zone Settings:Edit'] })
  })
})

test('a check asks Cloudflare to look, tells how the domain stands, and why it does not look again', async () => {
  const name = newName()
  const { id } = (await add(name)).json().zone
  expect((await check(id)).json()).toMatchObject({ zone: { id, status: 'pending' }, refusal: null })
  await remoteControl(w.sandbox.stripe).scenario('change_zone', { zone: name, status: 'active' })
  expect((await check(id)).json()).toMatchObject({ zone: { id, status: 'active' }, refusal: expect.any(String) })
  expect((await w.reader.get(`/cloudflare/domains/${id}`)).json().domain).toMatchObject({ status: 'active' })
  expect((await w.reader.post(`/cloudflare/zones/${id}/check`, {})).statusCode).toBe(403)
  expect((await check('none')).statusCode).toBe(404)
})
