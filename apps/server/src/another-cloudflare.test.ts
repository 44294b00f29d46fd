import type { domains } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCloudflareStandIn } from '../test/cloudflare.ts'
import { createTestContext, runJob, type TestContext } from '../test/context.ts'
import { checkOf } from '../test/openapi.ts'
import { createOpenApiMock, type Fill } from '../test/openapi-mock.ts'
import { type Caller, request } from '../test/request.ts'
import { createConnection } from './connect.ts'
import type { CloudflareGateway } from './integrations/cloudflare/gateway.ts'
import { verifyToken } from './integrations/cloudflare/verify.ts'

type Domains = ResponseOf<typeof domains.listDomains>
type Row = Record<string, unknown>

const file = new URL('../test/fixtures/cloudflare-openapi.json', import.meta.url)

test('answers as its document says, and refuses with 400 what that does not allow', async () => {
  for (const fill of ['full', 'sparse'] as const) {
    const { operations, answers } = createOpenApiMock(file, fill)
    for (const { id, answer } of operations)
      expect([fill, id, checkOf(answer).safeParse(answers.get(id)).error?.message]).toEqual([fill, id, undefined])
  }
  const mock = createOpenApiMock(file, 'full')
  const server = await startCloudflareStandIn(mock.answer)
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
    return (await fetch(new URL(mock.prefix + path, server.baseUrl), { headers, ...init })).status
  }
  const project = '/accounts/a/pages/projects/p'
  expect(await ask('/zones?per_page=50')).toBe(200)
  expect([
    await ask('/zones', { headers: {} }),
    await ask('/zones?per_page=51'),
    await ask('/zones?page=first'),
    await ask('/zones?order=colour'),
    await ask('/zones?colour=red'),
    await ask('/zones/z/settings/colour'),
    await ask('/nothing'),
    await ask('/zones', { method: 'POST', body: '{}' }),
    await ask('/zones/z/purge_cache', { method: 'POST' }),
    await ask('/zones/z/purge_cache', { method: 'POST', body: '{"hosts":[]}' }),
    await ask('/zones/z/purge_cache', { method: 'POST', body: '{"hosts":["h"],"purge_everything":true}' }),
    await ask(`${project}/domains`, { method: 'POST', body: '{"name":5}' }),
    await ask(`${project}/deployments`, { method: 'POST', body: '{"branch":"main"}' }),
  ]).toEqual(Array(13).fill(400))
  await server.stop()
})

/** A console that is told another address of Cloudflare, and nothing else. */
async function open(fill: Fill) {
  const mock = createOpenApiMock(file, fill)
  const server = await startCloudflareStandIn(mock.answer)
  const base = new URL(mock.prefix, server.baseUrl).href
  const t = await createTestContext({
    env: { CLOUDFLARE_API_TOKEN: 'mock-token', CLOUDFLARE_API_BASE: base },
  })
  const connection = createConnection({ databaseUrl: '', watch: t.ctx, playsSandbox: false })
  t.ctx.replace(await connection.open(t.ctx.config))
  const close = async () => {
    await connection.close()
    await t.close()
    await server.stop()
  }
  const gateway = t.ctx.cloudflare as CloudflareGateway
  return { mock, base, t, gateway, root: request(t.ctx).as('super_admin'), close }
}

const textOrNull = (value: unknown): unknown => value || null

describe.each<Fill>(['full', 'sparse'])('another implementation of the API, whose answers are %s', (fill) => {
  let world: Awaited<ReturnType<typeof open>>
  let t: TestContext
  let root: Caller
  beforeAll(async () => {
    world = await open(fill)
    t = world.t
    root = world.root
  })
  afterAll(() => world?.close())

  const get = async (path: string) => {
    const response = await root.get(path)
    expect([path, response.statusCode, response.body]).toEqual([path, 200, response.body])
    return response.json()
  }
  const given = (id: string): { result: Row[]; result_info?: { total_count: number } } =>
    world.mock.answers.get(id) as never

  test('serves the zones: what it leaves out is not known, and nothing is made up', async () => {
    const { domains, ...list }: Domains = await get('/cloudflare/domains')
    const zones = given('listZones').result
    expect(domains.map(({ name }) => name)).toEqual(zones.map(({ name }) => name).sort())
    expect(list).toMatchObject({ totalDomains: zones.length, total: zones.length, has_more: false, problem: null })
    for (const zone of zones) {
      const shown = domains.find(({ id }) => id === zone['id'])
      const plan = zone['plan'] as Row | undefined
      const account = zone['account'] as Row
      expect(shown).toMatchObject({
        ...{ status: zone['status'] ?? null, type: zone['type'] ?? null, paused: zone['paused'] ?? false },
        plan: plan ? { name: plan['name'], price: plan['price'], is_subscribed: plan['is_subscribed'] } : null,
        account: { id: account['id'] ?? null, name: account['name'] ?? null },
        ...{ ssl: { value: null, checked_at: null }, dnssec: { value: null, checked_at: null } },
      })
      if (zone['status'] === undefined) expect(shown?.name_server_state).toBe('unknown')
    }
  })

  test('serves their settings and records', async () => {
    const id = String(given('listZones').result[0]?.['id'])
    await runJob(t.ctx, 'domains.settings')
    const { domain } = await get(`/cloudflare/domains/${id}`)
    const status = (given('getDnssec').result as unknown as Row)['status']
    expect(domain).toMatchObject({ ssl: { value: 'strict', problem: null }, dnssec: { value: status ?? null } })
    if (status === undefined) expect(domain.dnssec.problem).toContain('came without what it consists of')

    const { records, total, has_more } = await get(`/cloudflare/zones/${id}/records`)
    const sent = given('listRecords')
    expect({ total, has_more }).toEqual({ total: sent.result_info?.total_count ?? null, has_more: false })
    expect(records).toEqual(
      sent.result.map(
        ({ id, type, name, content = null, ttl, proxied = null, priority = null, comment, data = null }) => ({
          ...{ id, type, name, content, ttl, proxied, priority, comment: comment || null, data },
        }),
      ),
    )
  })

  test('serves projects, and takes in the deployments of the one that a site is linked to', async () => {
    const { projects } = await get('/sites/projects')
    expect(projects).toEqual(
      given('listProjects').result.map(({ name, domains = [], production_branch }) => ({
        ...{ name, domains, production_branch, site: null },
      })),
    )
    const made = await root.post('/sites', { site_name: 'Mock', domain: 'host-0.example' })
    const { id } = made.json().site
    const project = String(projects[0].name)
    const linked = await root.patch(`/sites/${id}/settings`, {
      version: 1,
      provider: 'pages',
      pages: { project, branch: null },
    })
    expect([linked.statusCode, linked.body]).toEqual([200, linked.body])
    await runJob(t.ctx, 'deployments.take-in')
    const { deployments } = await get(`/deployments?site=${id}`)
    const over = given('listDeployments').result.filter(({ environment, is_skipped, latest_stage }) => {
      const { name, status } = latest_stage as Row
      const isOver = status === 'failure' || status === 'canceled' || (name === 'deploy' && status === 'success')
      return environment === 'production' && !is_skipped && isOver
    })
    expect(over).toHaveLength(3)
    expect(deployments).toHaveLength(over.length)
    for (const build of over) {
      const shown = deployments.find((one: Row) => one['build_id'] === build['id'])
      const { commit_hash, commit_message, branch } = (build['deployment_trigger'] as { metadata: Row }).metadata
      expect(shown).toMatchObject({
        version: textOrNull(commit_hash) ? String(commit_hash).slice(0, 7) : textOrNull(build['short_id']),
        ...{ commit_hash: textOrNull(commit_hash), commit_message: textOrNull(commit_message) },
        ...{ branch: textOrNull(branch), url: build['url'] },
        duration: fill === 'full' ? 42 : null,
      })
    }
    expect(JSON.stringify(deployments)).not.toContain('env_vars')
  })

  test('is asked for nothing that its document does not allow, each operation of it at least once', async () => {
    const { gateway, mock, base } = world
    const zone = String(given('listZones').result[0]?.['id'])
    await gateway.ping()
    expect(await gateway.purge(zone, { hosts: ['host-0.example'] })).toEqual({ id: expect.any(String) })
    await gateway.purge(zone, { files: ['https://host-0.example/menu'] })
    await gateway.purge(zone, { everything: true })
    await gateway.setBuildVariables('project-0', { MODE: { type: 'secret_text', value: 'x' }, OLD: null })
    await gateway.listProjectDomains('project-0')
    await gateway.attachDomain('project-0', 'host-0.example')
    await gateway.detachDomain('project-0', 'host-0.example')
    const { id } = await gateway.createDeployment('project-0', { branch: 'main' })
    expect(await gateway.findDeployment('project-0', id)).toMatchObject({ id })
    await gateway.retryDeployment('project-0', id)
    await gateway.rollBackTo('project-0', id)
    await gateway.deleteDeployment('project-0', id)
    expect((await gateway.getBuildLog('project-0', id)).lines).toHaveLength(2)
    const verified = await verifyToken({ apiToken: 'mock-token', apiBase: base })
    // Five are shown, and without a total there may be more.
    expect(verified).toMatchObject({ isValid: true, zones: fill === 'full' ? 5 : null })
    expect(mock.refusals).toEqual([])
    expect(mock.operations.map((operation) => operation.id).filter((name) => !mock.used.has(name))).toEqual([])
  })
})
