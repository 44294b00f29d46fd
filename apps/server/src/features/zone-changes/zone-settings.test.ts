import type { ZoneSetting } from '@agency/contract/types'
import { remoteControl } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
let base = ''
beforeAll(async () => {
  w = await openDns()
  base = w.base.replace('/records', '/settings')
})
afterEach(() => w.sandbox.faults.clear())
afterAll(() => w?.close())

type Name = ZoneSetting['name']
const standing = async (name: Name) =>
  ((await w.reader.get(base)).json().settings as ZoneSetting[]).find((setting) => setting.name === name)?.value ?? ''
const set = async (name: Name, value: string, { shown = '', key = w.key() } = {}) =>
  w.writer.patch(base, { name, shown: shown || (await standing(name)), value }, key)
/** Something that it is not now. */
const otherTls = async () => ((await standing('min_tls_version')) === '1.2' ? '1.3' : '1.2')
const atCloudflare = (name: Name) => w.t.ctx.cloudflare!.getSetting(w.zone.id, name)
const sent = () =>
  w.sandbox.requestLog().filter(({ name, method }) => method === 'PATCH' && name?.startsWith('zones.')).length
const entries = async (most: number) =>
  (
    await w.t.ctx.pool.query(
      `select action, outcome, before, after from audit_entries where action like 'domain.%setting' order by id desc limit $1`,
      [most],
    )
  ).rows
const suffer = (match: string, connection: 'lost' | 'destroy') =>
  w.sandbox.faults.next('cloudflare', match, { connection }, 1)
const domain = async () => (await w.reader.get(`/cloudflare/domains/${w.zone.id}`)).json().domain

describe('a setting', () => {
  test.each([
    ['paused', ['on', 'off'], 'Cloudflare status'],
    ['ssl', ['strict', 'flexible'], 'SSL mode'],
    ['always_use_https', ['on', 'off'], 'HTTPS redirect'],
    ['min_tls_version', ['1.2', '1.3'], 'minimum TLS version'],
  ] as const)('%s is changed at Cloudflare, audited with before and after, and undone', async (name, values, words) => {
    const before = await standing(name)
    const value = values.find((each) => each !== before) ?? ''
    const answer = await set(name, value)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { record: null, undo_until: expect.any(String) }])
    expect([await atCloudflare(name), await standing(name)]).toEqual([value, value])
    const what = `the ${words} of ${w.zone.name}`
    expect(await entries(2)).toMatchObject([
      {
        action: 'domain.change_setting',
        outcome: 'done',
        before: { setting: name, value: before },
        after: { state: 'done', setting: name, value, what },
      },
      { action: 'domain.change_setting', after: { state: 'requested' } },
    ])
    const { change_id } = answer.json()
    expect((await w.reader.get(base)).json().last_change).toMatchObject({ id: change_id, kind: 'set', what })
    expect((await w.undo(change_id)).json()).toMatchObject({ record: null, undo_until: null })
    expect(await atCloudflare(name)).toBe(before)
    expect((await entries(1))[0]).toMatchObject({ action: 'domain.undo_setting', after: { undoes: change_id } })
  })

  test('that the list of domains shows is there at once', async () => {
    await domain()
    const ssl = (await standing('ssl')) === 'full' ? 'strict' : 'full'
    await set('ssl', ssl)
    await set('paused', 'on')
    expect(await domain()).toMatchObject({ paused: true, ssl: { value: ssl, problem: null } })
    await set('paused', 'off')
    expect(await domain()).toMatchObject({ paused: false })
  })

  test('that somebody changed at Cloudflare meanwhile stays, and both values are told', async () => {
    const shown = await standing('min_tls_version')
    const [theirs, mine] = ['1.0', '1.1', '1.2', '1.3'].filter((value) => value !== shown) as [string, string]
    await w.t.ctx.cloudflare!.changeSetting(w.zone.id, 'min_tls_version', theirs)
    const before = sent()
    expect((await set('min_tls_version', mine, { shown })).json()).toMatchObject({
      ...{ status: 409, detail: `Someone else changed this setting. You saw: ${shown}. Now: ${theirs}.` },
    })
    expect([sent(), await atCloudflare('min_tls_version')]).toEqual([before, theirs])
  })

  test('is changed once by two who press at the same moment, and once by a key that comes twice', async () => {
    const shown = await standing('min_tls_version')
    const value = await otherTls()
    const before = sent()
    const answers = await Promise.all([1, 2].map(() => set('min_tls_version', value, { shown })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const key = w.key()
    const next = { shown: value, key }
    const [first, again] = [await set('min_tls_version', shown, next), await set('min_tls_version', shown, next)]
    expect(again.json()).toEqual(first.json())
    expect(sent()).toBe(before + 2)
  })

  test('whose lost answer is settled by reading is sent once', async () => {
    const [value, before] = [await otherTls(), sent()]
    suffer('zones.settings.edit', 'lost')
    expect((await set('min_tls_version', value)).statusCode).toBe(200)
    expect([sent(), await atCloudflare('min_tls_version')]).toEqual([before + 1, value])
  })

  test('whose answer shows another value is told only as what Cloudflare has', async () => {
    const [shown, value] = [await standing('min_tls_version'), await otherTls()]
    const answer = { success: true, errors: [], messages: [], result: { id: 'min_tls_version', value: shown } }
    w.sandbox.faults.next('cloudflare', 'zones.settings.edit', { answer }, 1)
    expect((await set('min_tls_version', value, { shown })).statusCode).not.toBe(200)
    expect([await standing('min_tls_version'), await atCloudflare('min_tls_version')]).toEqual([shown, shown])
    w.t.clock.advance(61_000)
    await runJob(w.t.ctx, 'dns-records.settle')
    expect((await entries(1))[0]).toMatchObject({ outcome: 'failed', after: { state: 'failed' } })
  })

  test('of which nobody knows what became is told so, settled by a job, and not sent by it', async () => {
    const value = await otherTls()
    suffer('zones.settings.edit', 'destroy')
    expect((await set('min_tls_version', value)).json()).toMatchObject({
      ...{ status: 504, code: 'outcome_unknown', detail: expect.stringContaining('trying again is safe') },
    })
    const before = sent()
    w.t.clock.advance(61_000)
    await runJob(w.t.ctx, 'dns-records.settle')
    expect((await entries(1))[0]).toMatchObject({
      ...{ outcome: 'failed', after: { state: 'failed', problem: 'The change was not carried out' } },
    })
    expect(sent()).toBe(before)
  })
})

test('a domain whose answer lacks its status is unknown, not active', async () => {
  const answer = { success: true, errors: [], messages: [], result: { id: w.zone.id, name: w.zone.name } }
  w.sandbox.faults.next('cloudflare', 'zones.get', { answer }, 1)
  expect((await w.reader.get(base)).json().settings[0]).toMatchObject({
    ...{ name: 'paused', value: null, problem: expect.stringContaining('came without what it consists of') },
  })
})

test('beyond a hundred sites their number is told', async () => {
  await w.t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     select 'site_' || lpad(n::text, 16, 'm'), 'Many ' || n, 'm' || n || '.' || $1, 'active', now(), now()
     from generate_series(1, 600) n`,
    [w.zone.name],
  )
  const { sites, sites_total } = (await w.reader.get(base)).json()
  expect([sites.length, sites_total]).toEqual([100, 600])
})

describe('is refused', () => {
  test.each([
    [{ name: 'ssl', shown: 'full', value: 'origin_pull' }, 'value'],
    [{ name: 'min_tls_version', shown: '1.0', value: '1.4' }, 'value'],
    [{ name: 'paused', shown: 'off', value: true }, 'value'],
    [{ name: 'rocket_loader', shown: 'off', value: 'on' }, 'name'],
    [{ name: 'ssl', value: 'full' }, 'shown'],
  ])('%j', async (body, parameter) => {
    const before = sent()
    expect((await w.writer.patch(base, body, w.key())).json()).toMatchObject({ status: 400, parameter })
    expect(sent()).toBe(before)
  })

  test('what changes nothing, what may only be read, and what is no domain', async () => {
    const shown = await standing('ssl')
    expect((await set('ssl', shown)).json()).toMatchObject({ detail: 'Nothing was changed in this setting' })
    const body = { name: 'ssl', shown, value: 'off' }
    expect((await w.reader.patch(base, body, w.key())).json()).toMatchObject({ status: 403, permission: 'sites.write' })
    expect((await request(w.t.ctx).as(['billing.read']).get(base)).statusCode).toBe(403)
    expect((await w.writer.patch('/cloudflare/zones/none/settings', body, w.key())).statusCode).toBe(404)
  })

  test('an undo to a value that only Cloudflare sets', async () => {
    const shown = await standing('ssl')
    const { change_id } = (await set('ssl', shown === 'full' ? 'strict' : 'full')).json()
    await w.t.ctx.pool.query(
      `update dns_changes set before = '{"setting": "ssl", "value": "origin_pull"}' where id = $1`,
      [change_id],
    )
    expect((await w.undo(change_id)).json()).toMatchObject({ detail: 'This value can only be set in Cloudflare' })
  })
})

test('a token without the rights reads and changes the rest, and says which right is missing', async () => {
  const { cloudflare: steer } = remoteControl(w.sandbox.stripe)
  await steer({ scopes: ['Zone:Read', 'DNS:Edit'] })
  const { settings } = (await w.reader.get(base)).json()
  expect(settings).toMatchObject([
    { name: 'paused', value: 'off', problem: null },
    { name: 'ssl', value: null, problem: 'No access: the token lacks Zone Settings:Read' },
    { name: 'always_use_https', value: null },
    { name: 'min_tls_version', value: null },
  ])
  expect((await set('paused', 'on')).json()).toMatchObject({ detail: 'No access: the token lacks Zone:Edit' })
  await steer({ scopes: ['Zone:Read', 'Zone Settings:Read'] })
  expect((await set('min_tls_version', await otherTls())).json()).toMatchObject({
    detail: 'No access: the token lacks Zone Settings:Edit',
  })
})
