import type Cloudflare from 'cloudflare'
import { expect, test } from 'vitest'
import { complaintsOf, type Heard, listeningFetch } from '../../test/answers.ts'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'
import { routes } from './api/index.ts'
import { findRoute } from './http/route.ts'
import { apiBase } from './http/server.ts'

// The clock stands still, so that builds and domains are heard of while they are under way.
const now = Date.now()
const stageMs = 1000
const world = useSandbox({
  size: { customers: 12 },
  now: () => now,
  cloudflare: { requestLimit: 0, graphqlLimit: 0, stageMs },
})
const { fetch: listening, heard } = listeningFetch((method, path) => {
  const found = findRoute(routes, method, path.slice(apiBase.length))
  return typeof found === 'object' ? found.route.name : undefined
})

/** Cloudflare tells an empty comment as null and may leave a plan out, which its own types do not say. */
const isBeyondTypes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'original_registrar' in value && !('plan' in value)
const typed = ({ name, body }: Heard): Heard => {
  const { result } = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'comment' && value === null ? undefined : value,
  ) as { result: unknown }
  return { name, body: Array.isArray(result) ? result.filter((each) => !isBeyondTypes(each)) : result }
}

async function askAccount(client: Cloudflare, account_id: string) {
  await client.user.get()
  await client.user.tokens.verify()
  await client.accounts.list()
  await client.accounts.get({ account_id })
  await client.accounts.tokens.verify({ account_id })
}

async function askZones(client: Cloudflare, account_id: string) {
  const zones = await client.zones.list({ per_page: 50 })
  const zone = await client.zones.create({ name: 'fresh.example', type: 'full', account: { id: account_id } })
  const inZone = { zone_id: zone.id }
  await client.zones.activationCheck.trigger(inZone)
  await client.zones.get(inZone)
  await client.zones.edit({ ...inZone, paused: true })
  for (const setting of ['ssl', 'always_use_https', 'min_tls_version']) await client.zones.settings.get(setting, inZone)
  await client.zones.settings.edit('ssl', { ...inZone, value: 'full' })
  for (const { id } of zones.result.slice(0, 5)) {
    await client.dns.records.list({ zone_id: id })
    await client.dns.dnssec.get({ zone_id: id })
  }
  const a = { type: 'A', name: 'www.fresh.example', content: '203.0.113.7', ttl: 1 } as const
  const record = await client.dns.records.create({ ...inZone, ...a })
  await client.dns.records.get(record.id, inZone)
  await client.dns.records.edit(record.id, { ...inZone, ...a, ttl: 120 })
  await client.dns.records.update(record.id, { ...inZone, ...a, content: '203.0.113.8' })
  await client.dns.records.delete(record.id, inZone)
  await client.cache.purge({ ...inZone, purge_everything: true })
}

const project_name = 'cascobaycoffee'

async function askProjects({ pages: { projects } }: Cloudflare, account_id: string) {
  const account = { account_id }
  const build_config = { build_command: 'npm run all', root_dir: 'site', web_analytics_tag: null }
  const env_vars = {
    GREETING: { type: 'plain_text', value: 'hello' },
    API_KEY: { type: 'secret_text', value: 'x' },
    MAIL_TOKEN: null,
  } as const
  const deployment_configs = { production: { env_vars }, preview: { env_vars } }
  await projects.edit(project_name, { ...account, build_config, deployment_configs, production_branch: 'main' })
  await projects.get(project_name, account)
  await all(projects.list(account))
}

async function askDeployments({ pages: { projects } }: Cloudflare, account_id: string) {
  const { deployments } = projects
  const account = { account_id }
  const ofProject = { ...account, project_name }
  const { scenario } = world.sandbox.control
  const finish = () => world.sandbox.advance(10 * stageMs)
  const commit = { commit_hash: 'a'.repeat(40), commit_message: 'Try it', commit_dirty: 'true' } as const
  const { id: preview } = await deployments.create(project_name, { ...account, branch: 'try-out', ...commit })
  await world.sandbox.advance(2.5 * stageMs)
  await deployments.get(preview, ofProject)
  await deployments.history.logs.get(preview, ofProject)
  await finish()
  await deployments.get(preview, ofProject)
  await deployments.delete(preview, { ...ofProject, force: true })
  await scenario('next_build', { project: project_name, outcome: 'failure' })
  const { id: failing } = await deployments.create(project_name, account)
  await finish()
  await deployments.history.logs.get(failing, ofProject)
  await deployments.retry(failing, ofProject)
  await scenario('cancel_build', { project: project_name })
  const { canonical_deployment: served } = await projects.get(project_name, account)
  await deployments.create(project_name, account)
  await finish()
  await deployments.rollback(served!.id, ofProject)
  await scenario('push', { project: project_name })
  for await (const { name } of projects.list(account)) await all(deployments.list(name, account))
}

async function askDomains({ pages: { projects } }: Cloudflare, account_id: string) {
  const { domains } = projects
  const account = { account_id }
  for (const name of ['shop.cascobaycoffee.example', 'shop.elsewhere.example']) {
    await domains.create(project_name, { ...account, name })
    await world.sandbox.advance(0.6 * stageMs)
    await all(domains.list(project_name, account))
    await domains.edit(name, { ...account, project_name })
    await world.sandbox.advance(stageMs)
    await domains.get(name, { ...account, project_name })
    await domains.delete(name, { ...account, project_name })
  }
}

test('every answer has the result that the SDK says it has', async () => {
  const client = cloudflareOf(world.sandbox, { fetch: listening })
  const { accountId } = world.sandbox.cloudflare
  await askAccount(client, accountId)
  await askZones(client, accountId)
  await askProjects(client, accountId)
  await askDeployments(client, accountId)
  await askDomains(client, accountId)
  // The SDK has no call for GraphQL, so it has no type for its answer either.
  const typedRoutes = routes.filter(({ name }) => name !== 'graphql')
  expect(new Set(heard.map(({ name }) => name))).toEqual(new Set(typedRoutes.map(({ name }) => name)))
  expect(await complaintsOf('CloudflareAnswer', heard.map(typed))).toEqual([])
})
