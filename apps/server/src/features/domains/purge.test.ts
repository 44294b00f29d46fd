import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refused } from '../../../test/cloudflare.ts'
import { runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { startWorld, zoneOf } from './test/world.ts'

let stand: Awaited<ReturnType<typeof startWorld>>
let t: TestContext
let count = 0
beforeAll(async () => {
  stand = await startWorld([zoneOf('shop'), zoneOf('other')])
  t = await stand.open()
  await request(t.ctx).as(['sites.read']).get('/cloudflare/domains')
})
beforeEach(() => void stand.asked.splice(0))
afterEach(() => {
  stand.world.fault = undefined
})
afterAll(async () => {
  await t.close()
  await stand.stop()
})

const nextKey = () => `purge-${count++}`
const purge = (body: unknown, key = nextKey(), id = 'shop') =>
  request(t.ctx).as(['sites.write']).post(`/cloudflare/zones/${id}/purge`, body, { 'idempotency-key': key })
const sent = () => stand.asked.filter(({ path }) => path.endsWith('/purge_cache')).map(({ body }) => JSON.parse(body))
const entries = async () =>
  (
    await t.ctx.pool.query(
      `select outcome, resource_id, after from audit_entries where action = 'domain.purge_cache' order by id desc limit 4`,
    )
  ).rows
const preview = async () => (await request(t.ctx).as(['sites.read']).get('/cloudflare/zones/shop/purge')).json()

describe('purging', () => {
  test.each([
    [{ everything: true }, { purge_everything: true }, 'everything'],
    [{ hosts: ['WWW.shop.example '] }, { hosts: ['www.shop.example'] }, '1 hostname'],
    [
      { files: ['https://shop.example/a.css', 'https://shop.example/b.css'] },
      { files: ['https://shop.example/a.css', 'https://shop.example/b.css'] },
      '2 URLs',
    ],
  ])('%j is sent once, written down and audited', async (body, expected, what) => {
    const answer = await purge(body)
    expect(answer.json()).toMatchObject({ success: true, purged_at: expect.any(String) })
    expect(sent()).toEqual([expected])
    const entry = { outcome: 'done', resource_id: 'shop', after: { name: 'shop.example', what } }
    expect((await entries()).slice(0, 2)).toMatchObject([
      { ...entry, after: { ...entry.after, state: 'done' } },
      { ...entry, after: { ...entry.after, state: 'requested' } },
    ])
    expect((await preview()).last).toEqual({ at: answer.json().purged_at, by: 'Test custom', what })
  })

  test('a repeat under the same key gets the first answer; another body is refused', async () => {
    const key = nextKey()
    const first = await purge({ everything: true }, key)
    t.clock.advance(5000)
    expect((await purge({ everything: true }, key)).json()).toEqual(first.json())
    expect((await purge({ hosts: ['shop.example'] }, key)).json()).toMatchObject({ code: 'idempotency_conflict' })
    expect((await purge({ everything: true }, key, 'other')).json()).toMatchObject({ code: 'idempotency_conflict' })
    expect(sent()).toHaveLength(1)
  })

  test('two at once under one key are sent once', async () => {
    const key = nextKey()
    stand.world.fault = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return undefined as never
    }
    const answers = await Promise.all([purge({ everything: true }, key), purge({ everything: true }, key)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(sent()).toHaveLength(1)
  })

  test.each([
    ['a plan that cannot', () => refused(400, 1107, 'Only enterprise zones can purge by host'), 422, 'Only enterprise'],
    ['a right that is missing', () => refused(403, 10000, 'Authentication error'), 502, 'lacks Cache Purge'],
    ['a limit', () => refused(429, 1134, 'Rate limited', { 'retry-after': '60' }), 503, 'Rate limited'],
  ])('a refusal for %s is told and audited as failed', async (_name, fault, status, detail) => {
    stand.world.fault = fault
    const key = nextKey()
    const answer = await purge({ hosts: ['shop.example'] }, key)
    expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)])
    expect((await entries())[0]).toMatchObject({
      outcome: 'failed',
      after: { state: 'failed', problem: answer.json().detail },
    })
    expect((await purge({ hosts: ['shop.example'] }, key)).json().detail).toContain(detail)
    expect(sent()).toHaveLength(1)
  })

  test('an answer that got lost is not known, and the same key sends again', async () => {
    const key = nextKey()
    stand.world.fault = () => ({ json: { success: true, result: { id: 'shop' } }, cut: true })
    expect((await purge({ everything: true }, key)).json()).toMatchObject({
      code: 'outcome_unknown',
      detail: expect.stringContaining('purging again is safe'),
    })
    stand.world.fault = undefined
    expect((await purge({ everything: true }, key)).statusCode).toBe(200)
    expect(sent()).toHaveLength(2)
    expect((await entries()).map(({ outcome, after }) => `${after.state}: ${outcome}`)).toEqual([
      ...['done: done', 'requested: done', 'unknown: failed', 'requested: done'],
    ])
  })

  test('one whose end cannot be written down is not said to be done', async () => {
    const key = nextKey()
    await t.ctx.pool.query(
      `create function break_it() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
       create trigger broken before insert on audit_entries for each row when (new.after ->> 'state' = 'done')
         execute function break_it()`,
    )
    const answer = await purge({ everything: true }, key).finally(() =>
      t.ctx.pool.query('drop trigger broken on audit_entries'),
    )
    expect(answer.statusCode).toBe(500)
    expect((await t.ctx.pool.query('select state from domain_purges where id = $1', [key])).rows).toEqual([
      { state: 'started' },
    ])
    t.clock.advance(61_000)
    expect((await purge({ everything: true }, key)).statusCode).toBe(200)
    expect(sent()).toHaveLength(2)
  })

  test('one that was left half-done is written down as unknown once it cannot be under way any more, and may be sent again', async () => {
    const key = nextKey()
    await t.ctx.pool.query(
      `insert into domain_purges (id, domain_id, domain_name, body, what, state, actor_id, actor_name, created_at)
       values ($1, 'shop', 'shop.example', '{"everything": true}', 'everything', 'started', 'somebody', 'Ada', $2)`,
      [key, new Date(t.clock.now())],
    )
    await t.ctx.pool.query(
      `insert into idempotency_keys (key, caller, used_at, request, fingerprint, subject)
       values ($1, 'user test-custom', $2, 'POST /cloudflare/zones/shop/purge', encode(sha256('{"everything":true}'), 'hex'), $1)`,
      [key, new Date(t.clock.now())],
    )
    const before = await entries()
    await runJob(t.ctx, 'domains.refresh')
    expect(await entries()).toEqual(before)
    t.clock.advance(61_000)
    await runJob(t.ctx, 'domains.refresh')
    await runJob(t.ctx, 'domains.refresh')
    const told = { state: 'unknown', what: 'everything', started_by: 'Ada' }
    expect((await entries()).slice(0, 2)).toEqual([
      { outcome: 'failed', resource_id: 'shop', after: expect.objectContaining(told) },
      before[0],
    ])
    expect((await purge({ everything: true }, key)).statusCode).toBe(200)
    expect(sent()).toHaveLength(1)
  })

  test.each([
    {},
    { everything: false },
    { everything: true, hosts: ['shop.example'] },
    { hosts: [] },
    { hosts: ['https://shop.example'] },
    { hosts: ['shop'] },
    { files: ['javascript:alert(1)'] },
    { files: ['/a.css'] },
    { files: Array(31).fill('https://shop.example/') },
  ])('%j is refused, and nothing is sent', async (body) => {
    expect((await purge(body)).statusCode).toBe(400)
    expect(stand.asked).toEqual([])
  })

  test('needs the permission, and a domain that is there', async () => {
    const denied = await request(t.ctx).as(['sites.read']).post('/cloudflare/zones/shop/purge', { everything: true })
    expect(denied.json()).toMatchObject({ status: 403, permission: 'sites.write' })
    expect((await purge({ everything: true }, nextKey(), 'none')).statusCode).toBe(404)
    expect(stand.asked).toEqual([])
  })
})

test('the preview says what would be touched', async () => {
  await t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     values ('site_aaaaaaaaaaaaaaaa', 'Shop', 'www.shop.example', 'active', now(), now())`,
  )
  expect(await preview()).toMatchObject({
    domain: { id: 'shop', name: 'shop.example', plan_name: 'Free Website' },
    site: { id: 'site_aaaaaaaaaaaaaaaa', site_name: 'Shop' },
    customer: null,
    hosts: ['www.shop.example'],
  })
})
