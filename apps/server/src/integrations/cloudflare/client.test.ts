import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  type Answered,
  cloudflareAt,
  enveloped,
  refused,
  startCloudflareStandIn,
} from '../../../test/cloudflare.ts'
import { unlimited } from '../../platform/allowance.ts'
import type { CloudflareAllowance } from './allowance.ts'
import { createCloudflareGateway } from './client.ts'
import type { CloudflareGateway } from './gateway.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function standIn(answer: Answer, options: Parameters<typeof cloudflareAt>[1] = {}) {
  const server = await startCloudflareStandIn(answer)
  stops.push(server.stop)
  return { ...server, gateway: cloudflareAt({ baseUrl: server.baseUrl, accountId: 'acc' }, options) }
}

const zone = (id: string, more: object = {}) => ({
  id,
  name: `${id}.example`,
  status: 'active',
  paused: false,
  ...more,
})
const stage = { name: 'deploy', status: 'success', started_on: null, ended_on: null }
const deployment = (id: string) => ({
  id,
  created_on: '2026-11-01T10:00:00Z',
  latest_stage: stage,
  env_vars: { API_KEY: { type: 'secret_text', value: 'do-not-keep' } },
})

describe('any server that speaks the protocol will do', () => {
  test('reads all zones, page by page, with a token and a fixed version', async () => {
    const { gateway, asked } = await standIn(({ path, query }) => {
      const page = Number(query.get('page'))
      const ids = page === 1 ? Array.from({ length: 50 }, (_, index) => zone(`z${index}`)) : [zone('last')]
      return path === '/zones' ? enveloped(ids, { page, total_pages: 2, total_count: 51 }) : undefined
    })
    expect(await gateway.listZones()).toHaveLength(51)
    expect(asked.map(({ query }) => query.get('page'))).toEqual(['1', '2'])
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer token', 'api-version': '2026-11-01' })
    expect(asked[0]?.query.get('per_page')).toBe('50')
  })

  test('reads settings, DNSSEC and records, and purges', async () => {
    const { gateway, asked } = await standIn(({ path, method }) => {
      if (path === '/zones/z1/settings/ssl') return enveloped({ id: 'ssl', value: 'strict' })
      if (path === '/zones/z1/dnssec') return enveloped({ status: 'active' })
      if (path === '/zones/z1/dns_records')
        return enveloped([{ id: 'r1', type: 'TXT', name: 'z1.example', content: '<script>' }], { total_count: 1 })
      return method === 'POST' && path === '/zones/z1/purge_cache' ? enveloped({ id: 'z1' }) : undefined
    })
    expect(await gateway.getSetting('z1', 'ssl')).toBe('strict')
    expect(await gateway.getDnssec('z1')).toBe('active')
    expect(await gateway.listRecords('z1', 1)).toMatchObject({ total: 1, records: [{ content: '<script>' }] })
    await gateway.purge('z1', { everything: true })
    await gateway.purge('z1', { hosts: ['a.example'] })
    expect(asked.slice(-2).map(({ body }) => JSON.parse(body))).toEqual([
      { purge_everything: true },
      { hosts: ['a.example'] },
    ])
  })

  test('works with projects and deployments, without what a deployment keeps secret', async () => {
    const base = '/accounts/acc/pages/projects'
    const { gateway, asked } = await standIn(({ path, method, query }) => {
      if (path === base) return enveloped([{ name: 'shop' }], { total_pages: 1, page: Number(query.get('page')) })
      if (path === `${base}/shop`) return enveloped({ name: 'shop', canonical_deployment: deployment('d1') })
      if (path === `${base}/shop/domains` && method === 'POST')
        return enveloped({ name: 'shop.example', status: 'active' })
      if (path === `${base}/shop/domains`) return enveloped([{ name: 'shop.example', status: 'active' }])
      if (path === `${base}/shop/deployments` && method === 'GET') return enveloped([deployment('d1')])
      if (path === `${base}/shop/deployments/d1/history/logs`)
        return enveloped({ data: [{ ts: '2026-11-01T10:00:00Z', line: 'done' }], total: 7 })
      if (path === `${base}/shop/deployments/d1` && method === 'DELETE') return enveloped(null)
      return path.startsWith(`${base}/shop/deployments`) ? enveloped(deployment('d1')) : undefined
    })
    expect(await gateway.listProjects()).toMatchObject([{ name: 'shop' }])
    expect(await gateway.findProject('none')).toBeNull()
    await gateway.attachDomain('shop', 'shop.example')
    await gateway.detachDomain('shop', 'gone.example')
    await gateway.setBuildVariables('shop', { MODE: { type: 'plain_text', value: 'x' }, OLD: null })
    expect(await gateway.listProjectDomains('shop')).toHaveLength(1)
    const read = [
      await gateway.findProject('shop'),
      ...(await gateway.listDeployments('shop')),
      await gateway.findDeployment('shop', 'd1'),
      await gateway.createDeployment('shop', { branch: 'main' }),
      await gateway.retryDeployment('shop', 'd1'),
      await gateway.rollBackTo('shop', 'd1'),
    ]
    expect(JSON.stringify(read)).not.toContain('do-not-keep')
    expect(await gateway.getBuildLog('shop', 'd1')).toEqual({
      lines: [{ at: '2026-11-01T10:00:00Z', text: 'done' }],
      total: 7,
    })
    await gateway.deleteDeployment('shop', 'd1')
    const created = asked.find(({ path, method }) => method === 'POST' && path.endsWith('/shop/deployments'))
    expect(created?.headers['content-type']).toContain('multipart/form-data')
    expect(created?.body).toContain('main')
    const patched = asked.find(({ method }) => method === 'PATCH')
    expect(JSON.parse(patched?.body ?? '')).toEqual({
      deployment_configs: { production: { env_vars: { MODE: { type: 'plain_text', value: 'x' }, OLD: null } } },
    })
  })

  test('finds the only account by itself, and refuses to guess between two', async () => {
    let accounts = [{ id: 'one' }]
    const answer: Answer = ({ path }) =>
      path === '/accounts' ? enveloped(accounts) : path.startsWith('/accounts/one/pages') ? enveloped([]) : undefined
    const { baseUrl } = await standIn(answer)
    expect(await cloudflareAt({ baseUrl }).listProjects()).toEqual([])
    accounts = [{ id: 'one' }, { id: 'two' }]
    await expect(cloudflareAt({ baseUrl }).listProjects()).rejects.toThrow('CLOUDFLARE_ACCOUNT_ID must be set')
  })

  test('asks for analytics, and throws their errors though they come under status 200', async () => {
    let answered: Answered = { json: { data: { viewer: { zones: [] } }, errors: null } }
    const block = vi.fn(async () => {})
    const { gateway } = await standIn(() => answered, { allowance: { ...unlimited, block } })
    expect(await gateway.graphql('query', { z: 1 })).toEqual({ viewer: { zones: [] } })
    answered = { json: { data: null, errors: [{ message: 'cannot request a time range wider than 1d' }] } }
    await expect(gateway.graphql('query', {})).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/wider than 1d/),
    })
    answered = {
      json: { data: null, errors: [{ message: 'rate limiter budget depleted, try again after 5 minutes' }] },
    }
    await expect(gateway.graphql('query', {})).rejects.toMatchObject({ kind: 'rate_limit' })
    expect(block).toHaveBeenCalledWith('graphql', 60)
    answered = { json: { data: null, errors: [] } }
    await expect(gateway.graphql('query', {})).rejects.toMatchObject({ kind: 'bad_answer' })
  })
})

describe('what goes wrong is told as what it is', () => {
  const html = '<html><h1>Bad gateway</h1></html>'
  test.each<[string, Answered, object]>([
    [
      'a token that is not good',
      refused(401, 1000, 'Invalid API Token'),
      { kind: 'auth', providerStatus: 401, providerCode: '1000', code: 'provider_auth' },
    ],
    ['a right that is missing', refused(403, 10000, 'Authentication error'), { kind: 'auth', providerStatus: 403 }],
    ['what does not exist', refused(404, 7003, 'No route'), { kind: 'not_found' }],
    ['a conflict', refused(409, 1, 'Busy'), { kind: 'conflict' }],
    [
      'what is refused',
      refused(400, 1061, 'Bad name'),
      { kind: 'invalid', message: 'Cloudflare API error: Bad name', requestId: 'ray-1' },
    ],
    [
      'too many calls',
      refused(429, 10429, 'Slow down', { 'retry-after': '300' }),
      { kind: 'rate_limit', retryAfter: 300 },
    ],
    [
      'a failure of its own',
      { status: 502, raw: html },
      { kind: 'unavailable', message: 'Cloudflare API error: 502 Bad Gateway' },
    ],
    ['a page under 200', { raw: html }, { kind: 'bad_answer' }],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example' }, raw: '' },
      { kind: 'bad_answer' },
    ],
    [
      'success: false under 200',
      { json: { success: false, errors: [{ code: 1, message: 'No' }], result: null } },
      { kind: 'invalid', message: expect.stringMatching(/No/) },
    ],
    ['result: null', enveloped(null), { kind: 'bad_answer' }],
    ['JSON without an envelope', { json: [1, 2] }, { kind: 'bad_answer' }],
    ['a zone without a name', enveloped([{ id: 'z' }]), { kind: 'bad_answer' }],
    ['a body that ends in the middle', { ...enveloped([zone('z1')]), cut: true }, { kind: 'unavailable' }],
  ])('%s', async (_name, answered, expected) => {
    const { gateway, asked } = await standIn(() => answered)
    await expect(gateway.listZones()).rejects.toMatchObject({ provider: 'cloudflare', ...expected })
    expect(asked).toHaveLength(1)
  })

  test('a server that is not there, or says nothing', async () => {
    const away = cloudflareAt({ baseUrl: 'http://127.0.0.1:9' })
    await expect(away.listZones()).rejects.toMatchObject({ kind: 'unavailable', providerStatus: undefined })
    const { gateway } = await standIn(() => new Promise(() => {}), { timeoutMs: 50 })
    await expect(gateway.listZones()).rejects.toThrow('Cloudflare could not be reached: no answer in time')
  })

  test.each([
    ['repeats the first page for ever', () => Array.from({ length: 50 }, (_, index) => zone(`z${index}`))],
    ['never ends', (page: number) => Array.from({ length: 50 }, (_, index) => zone(`z${page}-${index}`))],
  ])('a list that %s', async (_name, rows) => {
    const { gateway, asked } = await standIn(({ query }) => enveloped(rows(Number(query.get('page')))))
    await expect(gateway.listZones()).rejects.toMatchObject({ kind: 'bad_answer' })
    expect(asked.length).toBeLessThanOrEqual(100)
  })

  test('plans that are missing, empty or strange are no failure', async () => {
    const plans = [undefined, null, {}, { name: '', price: null }, 'free', { id: 5 }]
    const { gateway } = await standIn(() => enveloped(plans.map((plan, index) => zone(`z${index}`, { plan }))))
    expect(await gateway.listZones()).toHaveLength(plans.length)
  })

  test('a body without an end is not read to its end', async () => {
    const { gateway } = await standIn(() => ({ raw: 'x'.repeat(33 * 1024 * 1024) }))
    await expect(gateway.listZones()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/too long/),
    })
  })
})

describe('the allowance', () => {
  test('is asked before each call; without room nothing is sent', async () => {
    const take = vi.fn<CloudflareAllowance['take']>(async () => ({
      isAllowed: false,
      isBlocked: false,
      retryAfter: 12,
    }))
    const { gateway, asked } = await standIn(() => enveloped([]), { allowance: { ...unlimited, take } })
    await expect(gateway.listZones()).rejects.toMatchObject({ kind: 'rate_limit', retryAfter: 12 })
    await expect(gateway.in('bulk').graphql('q', {})).rejects.toMatchObject({ kind: 'rate_limit' })
    expect(asked).toHaveLength(0)
    expect(take.mock.calls).toEqual([
      ['rest', 1],
      ['graphql', 2 / 3],
    ])
  })

  test('hears of a 429, but not of the limit that purges have of their own', async () => {
    const block = vi.fn(async () => {})
    const answer = () => refused(429, 10429, 'Slow down', { 'retry-after': '300' })
    const { gateway } = await standIn(answer, { allowance: { ...unlimited, block } })
    await expect(gateway.purge('z1', { everything: true })).rejects.toMatchObject({ kind: 'rate_limit' })
    expect(block).not.toHaveBeenCalled()
    await expect(gateway.listZones()).rejects.toMatchObject({ kind: 'rate_limit' })
    expect(block).toHaveBeenCalledWith('rest', 300)
  })
})

test('a retired gateway asks nothing more', async () => {
  const server = await startCloudflareStandIn(() => enveloped([]))
  stops.push(server.stop)
  const account = { apiToken: 'token', apiBase: server.baseUrl, allowance: unlimited }
  const { gateway, retire } = createCloudflareGateway(account)
  retire()
  await expect(gateway.in('bulk').listZones()).rejects.toMatchObject({ code: 'not_connected' })
  expect(server.asked).toHaveLength(0)
})

test('the token is never sent in the clear to another machine, and no message repeats it', async () => {
  const options = { apiToken: 'very-secret-token', apiBase: 'http://cloudflare.example', allowance: unlimited }
  expect(() => createCloudflareGateway(options)).toThrow('CLOUDFLARE_API_BASE must start with https://')
  const { baseUrl } = await standIn(() => refused(400, 1, 'No'))
  const gateway: CloudflareGateway = cloudflareAt({ baseUrl, apiToken: 'very-secret-token' })
  expect(gateway.connection).not.toContain('secret')
  const error: unknown = await gateway.listZones().catch((caught: unknown) => caught)
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('very-secret-token')
})
