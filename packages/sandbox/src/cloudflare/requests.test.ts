import type { APIError } from 'cloudflare'
import { afterEach, describe, expect, test } from 'vitest'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'
import type { FaultEffect } from '../index.ts'
import { remoteControl } from '../index.ts'

const now = Date.now()
const world = useSandbox({ size: { customers: 4 }, now: () => now })
const client = (more: Parameters<typeof cloudflareOf>[1] = {}) => cloudflareOf(world.sandbox, more)
const address = () => world.sandbox.cloudflare
const remote = () => remoteControl(world.sandbox.stripe)
const raw = (path: string, token = address().apiToken) =>
  fetch(`${address().baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
const suffer = (match: string, effect: FaultEffect, times: number | null = 1) =>
  world.sandbox.faults.next('cloudflare', match, effect, times)
const refusal = async (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('Expected Cloudflare to refuse')
    },
    (error: APIError) => error,
  )

afterEach(async () => {
  world.sandbox.faults.clear()
  await remote().cloudflare({
    scopes: [
      'Zone:Read',
      'Zone:Edit',
      'Zone Settings:Read',
      'Zone Settings:Edit',
      'DNS:Read',
      'DNS:Edit',
      'Cache Purge:Purge',
      'Analytics:Read',
      'Pages:Read',
      'Pages:Edit',
    ],
    tokenStatus: 'active',
    requestLimit: 0,
    graphqlLimit: 0,
  })
})

describe('who may come in', () => {
  test('a token is verified, for the person and for the account', async () => {
    expect(await client().user.tokens.verify()).toMatchObject({ status: 'active' })
    expect(await client().accounts.tokens.verify({ account_id: address().accountId })).toMatchObject({
      status: 'active',
    })
    await remote().cloudflare({ tokenStatus: 'expired' })
    expect(await client().user.tokens.verify()).toMatchObject({ status: 'expired' })
    expect(await refusal(client().zones.list())).toMatchObject({ status: 401, errors: [{ code: 10000 }] })
  })

  test.each([
    ['a wrong token, verified', '/user/tokens/verify', 401, 1000, 'Invalid API Token'],
    ['a wrong token, used', '/zones', 401, 10000, 'Authentication error'],
  ])('refuses %s', async (_name, path, status, code, message) => {
    const answer = await raw(path, 'x'.repeat(40))
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ success: false, errors: [{ code, message }], result: null })
  })

  test('refuses who brings no token', async () => {
    expect((await fetch(`${address().baseUrl}/zones`)).status).toBe(400)
  })

  test('what the token may not do is refused with 403, the rest goes on', async () => {
    await remote().cloudflare({ scopes: ['Zone:Read', 'Pages:Edit'] })
    const [zone] = (await client().zones.list()).result
    const in_zone = { zone_id: zone!.id }
    for (const ask of [
      () => client().zones.settings.get('ssl', in_zone),
      () => client().dns.records.list(in_zone),
      () => client().dns.records.delete('r1', in_zone),
      () => client().cache.purge({ ...in_zone, purge_everything: true }),
    ]) {
      expect(await refusal(ask())).toMatchObject({ status: 403, errors: [{ code: 10000 }] })
    }
    expect((await client().pages.projects.list({ account_id: address().accountId })).result.length).toBeGreaterThan(0)
    await expect(remote().cloudflare({ scopes: ['Everything'] as never })).rejects.toThrow(/no scope Everything/)
  })
})

describe('limits', () => {
  test('every answer tells what is left; whoever asks more is refused everything for a while', async () => {
    await remote().cloudflare({ requestLimit: 3, blockMs: 300_000 })
    const first = await raw('/zones')
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/)
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=1200;w=300')
    await raw('/zones')
    await raw('/zones')
    const refused = await refusal(client().zones.list())
    expect(refused).toMatchObject({ status: 429, errors: [{ code: 971 }] })
    expect(refused.headers?.get('retry-after')).toBe('300')
    expect((await raw('/user/tokens/verify')).status).toBe(429)
  })

  test('GraphQL has a limit of its own, which it tells under 200', async () => {
    await remote().cloudflare({ graphqlLimit: 2 })
    const ask = () =>
      client().post<{ errors: { message: string }[] | null }>('/graphql', {
        body: { query: '{ viewer { zones { zoneTag } } }' },
      })
    const messages = []
    for (let count = 0; count < 3; count++) messages.push((await ask()).errors?.[0]?.message ?? '')
    expect(messages.map((message) => message.includes('budget depleted'))).toEqual([false, false, true])
    expect((await raw('/zones')).status).toBe(200)
  })

  test('a zone may be purged as often as its plan allows', async () => {
    const { id } = (await all(client().zones.list({ name: 'cascobaywholesale.example' })))[0]!
    const answers = []
    for (let count = 0; count < 26; count++) {
      answers.push(
        await client()
          .cache.purge({ zone_id: id, purge_everything: true })
          .then(
            () => 200,
            ({ status }) => status,
          ),
      )
    }
    expect(answers).toEqual([...Array(25).fill(200), 429])
  })
})

describe('purging', () => {
  const zone = async () => (await all(client().zones.list({ name: 'cascobaycoffee.example' })))[0]!

  test('takes everything, or files, hosts, prefixes or tags of the zone', async () => {
    const { id } = await zone()
    const purge = (what: object) => client().cache.purge({ zone_id: id, ...what })
    expect(await purge({ purge_everything: true })).toEqual({ id })
    expect(
      await purge({ files: ['https://cascobaycoffee.example/a.css', { url: 'https://www.cascobaycoffee.example/' }] }),
    ).toEqual({ id })
    expect(await purge({ hosts: ['www.cascobaycoffee.example'] })).toEqual({ id })
    expect(await purge({ prefixes: ['www.cascobaycoffee.example/images'] })).toEqual({ id })
    expect(await purge({ tags: ['menu'] })).toEqual({ id })
  })

  test.each([
    ['nothing', {}, 1012],
    ['two things at once', { purge_everything: true, hosts: ['cascobaycoffee.example'] }, 1012],
    ['too much', { tags: Array.from({ length: 101 }, (_, index) => `t${index}`) }, 1094],
    ["another zone's host", { hosts: ['other.example'] }, 1132],
    ['what is no address', { files: ['no url'] }, 1016],
    ['an empty list', { files: [] }, 1004],
  ])('refuses %s', async (_name, what, code) => {
    const { id } = await zone()
    expect(await refusal(client().cache.purge({ zone_id: id, ...what }))).toMatchObject({
      status: 400,
      errors: [{ code }],
    })
  })
})

describe('faults', () => {
  test('a status comes with its body, and is not done', async () => {
    suffer('zones.list', { status: 429, retryAfter: 7 })
    const limited = await refusal(client().zones.list())
    expect(limited).toMatchObject({ status: 429 })
    expect(limited.headers?.get('retry-after')).toBe('7')
    suffer('pages.projects.deployments.create', { status: 500 })
    const project = 'cascobaycoffee'
    const account = { account_id: address().accountId }
    const before = (await client().pages.projects.deployments.list(project, account)).result_info
    expect(await refusal(client().pages.projects.deployments.create(project, account))).toMatchObject({ status: 500 })
    expect((await client().pages.projects.deployments.list(project, account)).result_info).toEqual(before)
  })

  test('a lost answer was done, a destroyed request was not', async () => {
    const account = { account_id: address().accountId }
    const count = async () => (await all(client().pages.projects.deployments.list('cascobaycoffee', account))).length
    const before = await count()
    suffer('pages.projects.deployments.create', { connection: 'destroy' })
    await refusal(client().pages.projects.deployments.create('cascobaycoffee', account))
    expect(await count()).toBe(before)
    suffer('pages.projects.deployments.create', { connection: 'lost' })
    await refusal(client().pages.projects.deployments.create('cascobaycoffee', account))
    expect(await count()).toBe(before + 1)
  })

  test.each<[string, FaultEffect, RegExp]>([
    ['a cut body', { connection: 'cut' }, /terminated|premature|fetch failed/i],
    ['broken JSON', { malformed: 'json' }, /JSON/],
  ])('%s', async (_name, effect, message) => {
    suffer('zones.list', effect)
    await expect(all(client().zones.list())).rejects.toThrow(message)
  })

  test('a page of HTML instead of JSON', async () => {
    suffer('zones.list', { malformed: 'html' })
    const answer = await raw('/zones')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html'])
    expect(await answer.text()).toContain('<!DOCTYPE html>')
  })

  test('an answer that fails under 200, one without a result, one without plans, one as told', async () => {
    suffer('zones.list', { malformed: 'unsuccessful' })
    expect(await (await raw('/zones')).json()).toMatchObject({ success: false, result: null })
    suffer('zones.list', { malformed: 'null_result' })
    expect(await (await raw('/zones')).json()).toMatchObject({ success: true, result: null })
    suffer('zones.list', { malformed: 'no_plan' })
    expect((await client().zones.list()).result.every((zone) => !('plan' in zone))).toBe(true)
    suffer('graphql', { answer: { data: null, errors: [{ message: 'no' }] } })
    expect(await client().post('/graphql', { body: { query: '{ viewer { zones { zoneTag } } }' } })).toEqual({
      data: null,
      errors: [{ message: 'no' }],
    })
  })

  test('pages without end: every page is full', async () => {
    suffer('zones.list', { malformed: 'endless_pages' }, null)
    let pages = 0
    const first = await client().zones.list({ per_page: 5 })
    for await (const page of first.iterPages()) {
      expect(page.result).toHaveLength(5)
      if (++pages >= 30) break
    }
    expect(pages).toBe(30)
  })

  test('an outage refuses connections, then passes', async () => {
    await remote().outage(300, 'cloudflare')
    await new Promise((resolve) => setTimeout(resolve, 80))
    await expect(raw('/zones')).rejects.toThrow()
    await expect
      .poll(() =>
        raw('/zones').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })

  test('faults of one provider leave the other alone', async () => {
    await remote().fault('*', { status: 503 }, null, 'cloudflare')
    expect((await world.stripe.customers.list()).object).toBe('list')
    expect((await raw('/zones')).status).toBe(503)
  })
})

test('the log names every request as the SDK does', async () => {
  await client().pages.projects.deployments.list('cascobaycoffee', {
    account_id: address().accountId,
    env: 'production',
  })
  expect(world.sandbox.requestLog().at(-1)).toMatchObject({
    provider: 'cloudflare',
    name: 'pages.projects.deployments.list',
    method: 'GET',
    params: { env: 'production' },
    status: 200,
  })
})

test('the token sees the analytics of its zones, and of no others', async () => {
  const ask = async (name: string) => {
    const { id } = (await all(client().zones.list({ name })))[0]!
    const query = 'query($z: string!) { viewer { zones(filter: { zoneTag: $z }) { zoneTag } } }'
    return await client().post<{ data: { viewer: { zones: unknown[] } } }>('/graphql', {
      body: { query, variables: { z: id } },
    })
  }
  expect((await ask('cascobaycoffee.example')).data.viewer.zones).toHaveLength(1)
  expect((await ask('borrowed-zone.example')).data.viewer.zones).toEqual([])
  await remote().cloudflare({ scopes: ['Zone:Read'] })
  expect((await ask('cascobaycoffee.example')).data.viewer.zones).toEqual([])
})
