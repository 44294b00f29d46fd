import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudflareAt, enveloped, startCloudflareStandIn } from '../../../test/cloudflare.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'

let one: TestContext
let provider: Awaited<ReturnType<typeof startCloudflareStandIn>>

const stage = (name: string, status: string) => ({
  ...{ name, status, started_on: '2026-11-01T10:00:00Z', ended_on: '2026-11-01T10:00:42Z' },
})

function build(number: number, change: object = {}) {
  const stages = [stage('queued', 'success'), stage('build', 'success'), stage('deploy', 'success')]
  return {
    ...{ id: `build-${number}`, short_id: `b${number}`, environment: 'production', url: 'https://b.shop.pages.dev' },
    ...{ created_on: `2026-11-01T10:00:${String(59 - number).padStart(2, '0')}Z`, stages },
    latest_stage: stages.at(-1),
    env_vars: { API_SECRET: { type: 'plain_text', value: 'never-to-be-kept' } },
    deployment_trigger: {
      type: 'github:push',
      metadata: { branch: 'main', commit_hash: `abcdef${number}0123`, commit_message: '<img src=x onerror=alert(1)>' },
    },
    ...change,
  }
}

const builds = [
  build(1, { latest_stage: { ...stage('build', 'active'), ended_on: null } }),
  build(2, { environment: 'preview' }),
  build(3, { is_skipped: true }),
  build(4, { latest_stage: stage('build', 'failure') }),
  build(5, { url: 'javascript:alert(1)' }),
  build(6, { latest_stage: stage('build', 'canceled'), deployment_trigger: null }),
]

beforeAll(async () => {
  provider = await startCloudflareStandIn(({ path, query }) =>
    path.endsWith('/pages/projects/shop/deployments') ? enveloped(query.get('page') === '2' ? [] : builds) : undefined,
  )
  one = await createTestContext({ cloudflare: cloudflareAt({ baseUrl: provider.baseUrl, accountId: 'account' }) })
  await one.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, provider, provider_settings, created_at, updated_at)
     values ('site_0000000000000001', 'Shop', 'shop.example', 'pending', 'pages', '{"project":"shop"}', now(), now())`,
  )
})
afterAll(async () => {
  await one?.close()
  await provider?.stop()
})

test('takes in what a project had before, once, and none of its secrets', async () => {
  await runJob(one.ctx, 'deployments.take-in')
  await runJob(one.ctx, 'deployments.take-in')
  expect(provider.asked).toHaveLength(1)
  const { deployments, counts } = (await request(one.ctx).as(['sites.read']).get('/deployments')).json()
  expect(deployments.map(({ build_id, status }: Record<string, unknown>) => [build_id, status])).toEqual([
    ...[
      ['build-4', 'failed'],
      ['build-5', 'success'],
      ['build-6', 'failed'],
    ],
  ])
  expect(counts).toMatchObject({ all: 3, success: 1, failed: 2 })
  expect(deployments[1]).toMatchObject({
    ...{ origin: 'provider', requested_by: null, url: null, version: 'abcdef5', duration: 42, branch: 'main' },
    commit_message: '<img src=x onerror=alert(1)>',
  })
  expect(deployments[2]).toMatchObject({
    version: 'b6',
    failure: 'Cancelled at Cloudflare in the stage build',
  })
  const { rows } = await one.ctx.pool.query(
    `select status, last_deployment, (select string_agg(d::text, '') from deployments d) as everything from sites`,
  )
  expect(rows[0]).toMatchObject({ status: 'active', last_deployment: new Date('2026-11-01T10:00:42Z') })
  expect(rows[0].everything).not.toContain('never-to-be-kept')
})

test('a project that is gone keeps no other from its turn', async () => {
  await one.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, provider, provider_settings, created_at, updated_at)
     values ('site_0000000000000000', 'Gone', 'gone.example', 'pending', 'pages', '{"project":"gone"}', now() - interval '1 day', now())`,
  )
  await one.ctx.pool.query('truncate deployment_histories')
  await runJob(one.ctx, 'deployments.take-in')
  const { rows } = await one.ctx.pool.query('select lane from deployment_histories')
  expect(rows).toEqual([{ lane: 'pages:shop' }])
  await one.ctx.pool.query("delete from sites where id = 'site_0000000000000000'")
})

test('asks again after a failure, and for the project that a site is linked to next', async () => {
  const link = (project: string) =>
    one.ctx.pool.query('update sites set provider_settings = $1', [JSON.stringify({ project })])
  const taken = async () =>
    (await one.ctx.pool.query('select lane from deployment_histories')).rows.map(({ lane }) => lane)
  await link('another')
  await runJob(one.ctx, 'deployments.take-in')
  expect(await taken()).toEqual(['pages:shop'])
  const asked = provider.asked.length
  await runJob(one.ctx, 'deployments.take-in')
  expect(provider.asked.length).toBe(asked + 1)
  await link('shop')
  await runJob(one.ctx, 'deployments.take-in')
  expect(provider.asked.length).toBe(asked + 1)
})
